// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The reason that a graph cannot be built or read, or that a parameter cannot be set.
public enum GraphError: Error, Hashable, Sendable {
  /// The node was removed, or belongs to another graph.
  case noSuchNode
  /// The unit does not have this input bus; buses are counted from 0.
  case noSuchInput(unit: String, bus: Int, count: Int)
  /// The unit does not have this output bus; buses are counted from 0.
  case noSuchOutput(unit: String, bus: Int, count: Int)
  /// The input is already connected.
  case inputTaken(unit: String, bus: Int)
  /// The input must be connected, but is not.
  case inputOpen(unit: String, bus: Int)
  /// The channel counts of an output and an input differ.
  case channelMismatch(source: String, sourceCount: Int, target: String, targetCount: Int)
  /// Two units have different sample rates.
  case rateMismatch(unit: String, rate: SampleRate, other: String, otherRate: SampleRate)
  /// Connections form a loop through these units.
  case cycle(through: [String])
  /// The graph does not have a head.
  case noHead
  /// A second bus cannot become the head: `unit` was given, and `first` already is the head.
  case secondHead(unit: String, first: String)
  /// The head has a different channel count from the plan's output.
  case headMismatch(unit: String, channelCount: Int, expected: Int)
  /// The same unit was added to the graph twice.
  case unitTwice(String)
  /// The unit does not have a parameter with this index.
  case noSuchParameter(unit: String, number: Int, count: Int)
  /// The value is outside the parameter's range.
  case parameterOutOfRange(unit: String, parameter: String, range: ClosedRange<Float>)
  /// The unit cannot be stored in a saved graph.
  case notSavable(String)
  /// The document of a saved graph is not valid.
  ///
  /// The path is empty if the text is not JSON.
  case badDocument(path: String, reason: String)
}

extension GraphError: CustomStringConvertible {
  /// One line for the user: the object, the fault and the remedy.
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
