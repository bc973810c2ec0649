import Foundation

@main
enum Main {
    static func main() throws {
        guard let link = Laboratory.link else {
            print("Benchmarks runs in a network of its own: use `make bench`")
            exit(2)
        }
        let words = CommandLine.arguments.dropFirst()
        if words.first == Driver.command { return Driver.main(Array(words.dropFirst()), link) }
        let wanted = Set(words).intersection(["reads", "names", "latency", "crowd", "storm"])
        func runs(_ name: String) -> Bool { wanted.isEmpty || wanted.contains(name) }
        if runs("reads") { try Reads.run() }
        if runs("names") { try Names.run() }
        if runs("latency") { try Latency.run() }
        if runs("storm") { try Storm.run() }
        if runs("crowd") { Crowd.run(link) }
    }
}
