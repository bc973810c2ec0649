import Foundation
import Network

class Printer: NetworkWatcherDelegate {
    func networkWatcher(_ watcher: NetworkWatcher, didUpdate path: NWPath) {
        var words: [String] = []
        switch path.status {
        case .satisfied: words.append("satisfied")
        case .unsatisfied: words.append("unsatisfied \(path.unsatisfiedReason)")
        case .requiresConnection: words.append("requires a connection")
        @unknown default: words.append("?")
        }
        words += path.availableInterfaces.map { "\($0.name)=\($0.type)#\($0.index)" }
        for gateway in path.gateways {
            if case .hostPort(let host, _) = gateway {
                switch host {
                case .ipv4(let address): words.append("v4 \(address)")
                case .ipv6(let address): words.append("v6 \(address)")
                case .name(let name, _): words.append(name)
                @unknown default: break
                }
            }
        }
        if path.isExpensive { words.append("expensive") }
        if path.isConstrained { words.append("constrained") }
        if path.supportsDNS { words.append("dns") }
        words.append("\(watcher.connectionType.map { "\($0)" } ?? "none")")
        print(words.joined(separator: " "))
        fflush(stdout)
    }
}

let printer = Printer()
NetworkWatcher.shared.delegate = printer
NetworkWatcher.shared.start()

if CommandLine.arguments.contains("--cellular") {
    // As a sequence, which needs no start.
    Task {
        for await path in NWPathMonitor(requiredInterfaceType: .cellular) {
            print("cellular: \(path.debugDescription)")
            fflush(stdout)
        }
    }
}
RunLoop.main.run()
