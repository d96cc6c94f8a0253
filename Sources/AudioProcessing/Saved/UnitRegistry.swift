// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Who makes the units of a saved graph, by their kinds.
///
/// ```swift
/// var registry = UnitRegistry.standard
/// registry.register("gain") { reader throws(GraphError) in makeGain(reader.name, reader.rate) }
/// ```
///
/// - Note: Control side.
public struct UnitRegistry {
  /// Makes a unit of what a document says; parameters are set afterwards.
  public typealias Maker = (inout SetupReader) throws(GraphError) -> any ProcessingUnit

  private var makers: [String: Maker] = [:]

  /// Creates a registry that knows no unit.
  public init() {}

  /// The kinds it knows, in order.
  public var kinds: [String] { makers.keys.sorted() }

  /// Says who makes the units of a kind, in place of whoever did.
  public mutating func register(_ kind: String, _ make: @escaping Maker) {
    makers[kind] = make
  }

  /// Makes a unit, and sets its parameters at once.
  func make(
    _ unit: SavedGraph.Unit, rate: SampleRate, path: String
  ) throws(GraphError) -> any ProcessingUnit {
    guard let maker = makers[unit.setup.kind] else {
      throw .badDocument(
        path: "\(path).kind",
        reason: "unknown kind of unit: \(unit.setup.kind)"
          + " (available: \(kinds.joined(separator: ", ")))")
    }
    var reader = SetupReader(unit, rate: rate, path: "\(path).setup")
    let made = try maker(&reader)
    try reader.finish()
    for (name, value) in unit.parameters.sorted(by: { $0.key < $1.key }) {
      try Self.set(name, to: value, of: made, path: "\(path).parameters.\(name)")
    }
    return made
  }

  private static func set(
    _ name: String, to value: Float, of unit: any ProcessingUnit, path: String
  ) throws(GraphError) {
    let set = (unit as? any ParametricUnit)?.parameters
    guard let set, let index = set.parameters.firstIndex(where: { $0.name == name }) else {
      let known = set?.parameters.prefix(8).map(\.name).joined(separator: ", ") ?? "none"
      throw .badDocument(
        path: path, reason: "unknown parameter of \(unit.name) (available: \(known))")
    }
    let range = set.parameters[index].range
    guard range.contains(value) else {
      throw .badDocument(
        path: path, reason: "\(value) is out of range (use \(range.lowerBound)…\(range.upperBound))"
      )
    }
    set.hold(index, to: value, over: 0)
  }
}
