/// Why no names can be asked for.
package enum NameChannelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// c-ares could not be set up for the process.
    case library(code: Int32, text: String)
    /// c-ares made no channel.
    case channel(code: Int32, text: String)
    /// c-ares took none of these servers.
    case servers(String, code: Int32, text: String)

    /// One sentence with c-ares' text.
    package var description: String {
        switch self {
        case .library(let code, let text): "c-ares does not start: \(text) (\(code))"
        case .channel(let code, let text): "c-ares opens no channel: \(text) (\(code))"
        case .servers(let servers, let code, let text): "c-ares does not take the servers \(servers): \(text) (\(code))"
        }
    }
}
