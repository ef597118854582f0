package dev.kermes.scaladsl

import dev.kermes.client.{
  ClientKillClientType,
  ClientKillOptions,
  ClientListClientType,
  ClientListOptions,
  HscanOptions,
  ScanOptions,
  SscanOptions,
  ZscanOptions
}

// Names without backticks for the options MATCH and TYPE, whose own names are keywords of Scala.

extension (options: ScanOptions)
  /** MATCH: only keys that match a glob pattern. */
  def pattern(glob: String): ScanOptions = options.`match`(glob)

  /** TYPE: only keys of a type, such as `hash`. */
  def keyType(name: String): ScanOptions = options.`type`(name)

extension (options: HscanOptions)
  /** MATCH: only fields that match a glob pattern. */
  def pattern(glob: String): HscanOptions = options.`match`(glob)

extension (options: SscanOptions)
  /** MATCH: only members that match a glob pattern. */
  def pattern(glob: String): SscanOptions = options.`match`(glob)

extension (options: ZscanOptions)
  /** MATCH: only members that match a glob pattern. */
  def pattern(glob: String): ZscanOptions = options.`match`(glob)

extension (options: ClientKillOptions)
  /** TYPE: only clients of a type. */
  def clientType(kind: ClientKillClientType): ClientKillOptions = options.`type`(kind)

extension (options: ClientListOptions)
  /** TYPE: only clients of a type. */
  def clientType(kind: ClientListClientType): ClientListOptions = options.`type`(kind)
