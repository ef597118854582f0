//! The attribute that the tests of redis-rs are marked with: it comes from a crate that is not published.

use proc_macro::{TokenStream, TokenTree};

/// Makes a test of an async function, on Tokio; one with an argument gets a connection to a server of its own.
#[proc_macro_attribute]
pub fn async_test(_options: TokenStream, item: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    let is_word = |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(name) if name.to_string() == word);
    let start = tokens.iter().position(|token| is_word(token, "async")).expect("an async function");
    let name = start + 1 + tokens[start..].iter().position(|token| is_word(token, "fn")).expect("a function");
    let takes_connection = match &tokens[name + 1] {
        TokenTree::Group(arguments) => !arguments.stream().is_empty(),
        _ => panic!("no arguments after the name"),
    };
    let connection = if takes_connection { "context.async_connection().await.unwrap()" } else { "" };
    let context = if takes_connection { "let context = crate::support::TestContext::new();" } else { "" };
    let attributes: TokenStream = tokens[..start].iter().cloned().collect();
    let function: TokenStream = tokens[start..].iter().cloned().collect();
    format!(
        "#[test] {attributes} fn {test}() {{
            {function}
            crate::support::block_on_all(
                async {{ {context} let _ = {test}({connection}).await; }},
                crate::support::RuntimeType::Tokio,
            );
        }}",
        test = tokens[name],
    )
    .parse()
    .expect("a function")
}
