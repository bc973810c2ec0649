import Foundation

@main
enum Main {
    static func main() throws {
        guard let link = Laboratory.link else {
            print("Benchmarks runs in a network of its own: use `make bench`")
            exit(2)
        }
        try Reads.run()
        try Names.run()
        if !CommandLine.arguments.contains("reads") { Latency.run(link) }
    }
}
