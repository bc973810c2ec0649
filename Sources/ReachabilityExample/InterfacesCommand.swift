internal import Reachability
internal import Rtnetlink

/// `interfaces`: every link with its kind, and what says so.
struct InterfacesCommand {
    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() -> Int32 {
        // Brings the daemons' word on modems and metered connections along, where they say it soon.
        _ = PathReader.read()
        let network: any NetworkSource
        do { network = try Engine.shared.liveNetwork(completely: true) } catch {
            Terminal.complain("the kernel cannot be asked: \(error)")
            return ExitStatus.notReachable
        }
        let view = network.snapshot.view
        let rows = view.links.all.map { InterfaceRow($0, in: view) }
        let width = rows.map(\.name.count).max() ?? 0
        for row in rows { Terminal.print(options.isJSON ? row.json : row.line(width: width).painted) }
        return ExitStatus.success
    }
}
