// SPDX-License-Identifier: Apache-2.0

/// Why units cannot be strung together as asked.
public enum GraphError: Error, Hashable, Sendable {
  /// The graph has no such node.
  case noSuchNode(Int)
  /// The unit has no such input bus, counted from 0.
  case noSuchInput(unit: String, bus: Int, count: Int)
  /// The unit has no such output bus, counted from 0.
  case noSuchOutput(unit: String, bus: Int, count: Int)
  /// Something is connected to the input already.
  case inputTaken(unit: String, bus: Int)
  /// The two ends differ in channels.
  case channelMismatch(source: String, sourceCount: Int, target: String, targetCount: Int)
  /// A unit would have to hear itself.
  case cycle(through: [String])
  /// No bus was named as the graph's end.
  case noHead
}

extension GraphError: CustomStringConvertible {
  /// The sentence for the user.
  public var description: String {
    switch self {
    case .noSuchNode(let number):
      "graph: no node \(number)"
    case .noSuchInput(let unit, let bus, let count):
      "\(unit): no input \(bus): it has \(count)"
    case .noSuchOutput(let unit, let bus, let count):
      "\(unit): no output \(bus): it has \(count)"
    case .inputTaken(let unit, let bus):
      "\(unit): input \(bus) is connected already (disconnect it, or go through a mixer)"
    case .channelMismatch(let source, let sourceCount, let target, let targetCount):
      "\(source): its \(sourceCount) channels do not fit the \(targetCount) of \(target)"
    case .cycle(let units):
      "graph: a circle: \(units.joined(separator: " → ")) (remove one of the connections)"
    case .noHead:
      "graph: no head (name the bus that goes to the output)"
    }
  }
}
