// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Why a graph cannot be built, or a parameter set, as asked.
public enum GraphError: Error, Hashable, Sendable {
  /// The node was removed, or belongs to another graph.
  case noSuchNode
  /// The unit has no such input bus, counted from 0.
  case noSuchInput(unit: String, bus: Int, count: Int)
  /// The unit has no such output bus, counted from 0.
  case noSuchOutput(unit: String, bus: Int, count: Int)
  /// Something is connected to the input already.
  case inputTaken(unit: String, bus: Int)
  /// Nothing is connected to an input that needs it.
  case inputOpen(unit: String, bus: Int)
  /// The two ends differ in channels.
  case channelMismatch(source: String, sourceCount: Int, target: String, targetCount: Int)
  /// Two units are made for different rates.
  case rateMismatch(unit: String, rate: SampleRate, other: String, otherRate: SampleRate)
  /// A unit would have to hear itself.
  case cycle(through: [String])
  /// No bus was named as the graph's end.
  case noHead
  /// Another bus is the graph's end already.
  case secondHead(unit: String, first: String)
  /// The output takes another number of channels.
  case headMismatch(unit: String, channelCount: Int, expected: Int)
  /// One unit stands in two places.
  case unitTwice(String)
  /// The unit has no such parameter.
  case noSuchParameter(unit: String, number: Int, count: Int)
  /// The value is outside the parameter's range.
  case parameterOutOfRange(unit: String, parameter: String, range: ClosedRange<Float>)
  /// The unit does not say what makes one like it.
  case notSavable(String)
  /// A saved graph is no such document, or does not fit together; the path is empty where it is no
  /// JSON.
  case badDocument(path: String, reason: String)
}

extension GraphError: CustomStringConvertible {
  /// The sentence for the user.
  public var description: String {
    switch self {
    case .noSuchNode:
      "graph: no such node (it was removed, or belongs to another graph)"
    case .noSuchInput(let unit, let bus, let count):
      "\(unit): input \(bus) does not exist (number of inputs: \(count))"
    case .noSuchOutput(let unit, let bus, let count):
      "\(unit): output \(bus) does not exist (number of outputs: \(count))"
    case .inputTaken(let unit, let bus):
      "\(unit): input \(bus) is already connected (disconnect it, or use a mixer)"
    case .inputOpen(let unit, let bus):
      "\(unit): input \(bus) is not connected (connect it, or remove the unit)"
    case .channelMismatch(let source, let sourceCount, let target, let targetCount):
      "\(source): has \(sourceCount) channels, but \(target) has \(targetCount)"
        + " (insert a channel converter)"
    case .rateMismatch(let unit, let rate, let other, let otherRate):
      "\(unit): runs at \(rate.hertz) Hz, but \(other) runs at \(otherRate.hertz) Hz"
    case .cycle(let units):
      "graph: feedback loop: \(units.joined(separator: " → ")) (remove one of the connections)"
    case .noHead:
      "graph: no head (set the bus that goes to the output)"
    case .secondHead(let unit, let first):
      "\(unit): cannot be the head: \(first) already is (remove that head first)"
    case .headMismatch(let unit, let count, let expected):
      "\(unit): has \(count) channels, but the output has \(expected)"
    case .unitTwice(let unit):
      "\(unit): is in the graph twice (create a second unit)"
    case .noSuchParameter(let unit, let number, let count):
      "\(unit): parameter \(number) does not exist (number of parameters: \(count))"
    case .parameterOutOfRange(let unit, let parameter, let range):
      "\(unit): \(parameter) is out of range (use \(range.lowerBound)…\(range.upperBound))"
    case .notSavable(let unit):
      "\(unit): cannot be saved with the graph (remove it, or make it a SavableUnit)"
    case .badDocument(let path, let reason):
      path.isEmpty ? reason : "\(path): \(reason)"
    }
  }
}
