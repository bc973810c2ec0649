import Testing

/// What is tried on the real kernel. One test at a time: each blocks a thread of the few that all tests share, and
/// several measure what a thread uses.
@Suite(.serialized, .inNamespace) enum Namespaces {}
