import Dispatch
import Foundation

/// Draws the screen as lines of text; a line of input is a tap on the button.
let model = ConnectionViewModel()
model.onChange = {
    let parts = [model.title, model.rows.joined(separator: ", "), model.warning ?? "", "[\(model.buttonTitle)]"]
    try? FileHandle.standardOutput.write(
        contentsOf: Data((parts.filter { !$0.isEmpty }.joined(separator: " | ") + "\n").utf8))
}

Thread.detachNewThread {
    while readLine() != nil { DispatchQueue.main.async { model.toggle() } }
    DispatchQueue.main.async { exit(0) }
}
model.toggle()
dispatchMain()
