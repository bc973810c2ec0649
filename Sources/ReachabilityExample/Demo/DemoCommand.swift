internal import Reachability

/// `demo`: a network of the program's own, taken from Wi-Fi over cellular and offline to a VPN.
struct DemoCommand {
    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() throws(UsageError) -> Int32 {
        do {
            // Before anything else: what is started later, threads too, is in the network that this thread is in.
            let network = try PrivateNetwork(tunnelNamed: DemoScript.tunnel)
            for command in DemoScript.setUp { try network.change(command) }
            let isSeen = FullScreen.isPossible && !options.isJSON
            var stage: any DemoStage = isSeen ? try ScreenStage(options) : LineStage(options)
            try play(on: &stage, in: network)
            return ExitStatus.success
        } catch let error as UsageError {
            throw error
        } catch {
            Terminal.complain("\(error)")
            return ExitStatus.notReachable
        }
    }

    private func play(
        on stage: inout any DemoStage, in network: borrowing PrivateNetwork
    ) throws(PrivateNetwork.Failure) {
        let hasTunnel = network.hasTunnel
        let steps = DemoScript.steps.filter { hasTunnel || !$0.needsTunnel }
        for (number, step) in steps.enumerated() {
            let isLast = number == steps.count - 1
            let end = isLast && !hasTunnel ? " (No VPN: no tunnel can be made here.)" : ""
            stage.announce("\(number + 1) of \(steps.count)  \(step.caption)\(end)", step.commands)
            for command in step.commands { try network.change(command) }
            guard stage.show(isLast: isLast) else { return }
        }
    }
}
