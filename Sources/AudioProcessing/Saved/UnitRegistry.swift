// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The functions that create the units of saved graphs, by kind.
///
/// ```swift
/// var registry = UnitRegistry.standard
/// registry.register("gain") { reader throws(GraphError) in makeGain(reader.name, reader.rate) }
/// ```
///
/// - Note: Not real-time safe.
public struct UnitRegistry {
  /// Creates a unit from the settings in a document.
  ///
  /// The parameters of the unit are set afterwards.
  public typealias Maker = (inout SetupReader) throws(GraphError) -> any ProcessingUnit

  private var makers: [String: Maker] = [:]

  /// Creates an empty registry.
  public init() {}

  /// The registered kinds, sorted.
  public var kinds: [String] { makers.keys.sorted() }

  /// Registers the function that creates units of a kind.
  ///
  /// The function replaces one that was registered earlier for the same kind.
  public mutating func register(_ kind: String, _ make: @escaping Maker) {
    makers[kind] = make
  }

  /// Creates a unit, and sets its parameters without ramps.
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
