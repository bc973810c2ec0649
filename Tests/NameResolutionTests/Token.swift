/// Counts tokens.
final class Counter {
    var made = 0
    var used = 0
    var gone = 0
}

/// Held by the closures of a lookup, so that their end is seen.
final class Token {
    private let counter: Counter

    init(_ counter: Counter) {
        self.counter = counter
        counter.made += 1
    }

    deinit {
        counter.gone += 1
    }

    func use() {
        counter.used += 1
    }
}
