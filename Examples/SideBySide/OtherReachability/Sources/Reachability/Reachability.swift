/// A class with the name of its module, as Reachability.swift has it.
public final class Reachability {
    public enum Connection: String { case unavailable, wifi, cellular }

    public init() {}

    public var connection: Connection { .unavailable }
}
