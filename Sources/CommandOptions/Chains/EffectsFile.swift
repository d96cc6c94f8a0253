// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
internal import CommandKit
package import Downbeat
internal import LV2Units
package import MusicalTime

/// The file of `--graph`: a saved graph, with instruments and effects of tracks.
package struct EffectsFile {
  /// The largest file, in bytes: 64 MiB, because the state of a plug-in may contain sounds.
  private static let limit = 64 << 20
  private let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// Reads the file, and checks that its units exist and fit together.
  package func chains(rate: SampleRate) throws -> SavedChains {
    try Console.current.once("graph \(path) at \(rate.hertz)") { try readChains(rate: rate) }
  }

  private func readChains(rate: SampleRate) throws -> SavedChains {
    let bytes = try content()
    let chains: SavedChains
    do throws(GraphError) { chains = try SavedChains(bytes) } catch {
      throw Failure(.badData, "\(path): \(error)")
    }
    let registry = try PluginShelf.standard.registry(for: chains.units, isLive: false)
    do throws(GraphError) { try Self.check(chains, registry, rate) } catch {
      throw Failure(.badData, "\(path): \(error)")
    }
    return chains
  }

  private func content() throws -> [UInt8] {
    // A pipe can be read only once, and the file is the same for all songs.
    try Console.current.once("bytes of \(path)") {
      try InputFile(named: path, limit: Self.limit).bytes
    }
  }

  private static func check(
    _ chains: SavedChains, _ registry: UnitRegistry, _ rate: SampleRate
  ) throws(GraphError) {
    let graphs =
      (chains.effects.map { [$0] } ?? []) + chains.buses.map(\.effects)
      + chains.groups.compactMap(\.effects)
    var claimed = 0
    for graph in graphs {
      let (sum, isTooMuch) = claimed.addingReportingOverflow(graph.claimedBytes(rate: rate))
      claimed = isTooMuch ? .max : sum
      try SavedGraph.check(claimed, path: "units")
    }
    if let effects = chains.effects { try check(effects, "", registry, rate) }
    if let unit = chains.instrument { _ = try instrument(unit, "instrument", registry, rate) }
    for (place, bus) in chains.buses.enumerated() {
      try check(bus.effects, "buses[\(place)].", registry, rate)
    }
    for (place, group) in chains.groups.enumerated() {
      if let unit = group.instrument {
        _ = try instrument(unit, "tracks[\(place)].instrument", registry, rate)
      }
      if let effects = group.effects { try check(effects, "tracks[\(place)].", registry, rate) }
    }
  }

  private static func check(
    _ graph: SavedGraph, _ prefix: String, _ registry: UnitRegistry, _ rate: SampleRate
  ) throws(GraphError) {
    do throws(GraphError) {
      // The sum of the mixer is stereo, and so are the units after it.
      var whole = AudioGraph()
      let source = whole.add(MixerUnit(name: "mix", stripCount: 1, rate: rate))
      try whole.setHead(source)
      try whole.insert(graph, behind: source, by: registry, rate: rate)
      _ = try whole.compile()
    } catch {
      guard case .badDocument(let path, let reason) = error else { throw error }
      throw .badDocument(path: prefix + path, reason: reason)
    }
  }

  /// Creates a saved instrument.
  ///
  /// - Parameters:
  ///   - unit: The saved instrument.
  ///   - path: Its path in the document, for errors.
  ///   - registry: The registry that makes it.
  ///   - rate: The sample rate.
  /// - Returns: The instrument.
  /// - Throws: `GraphError.badDocument` if it cannot be created, or is not an instrument.
  package static func instrument(
    _ unit: SavedGraph.Unit, _ path: String, _ registry: UnitRegistry, _ rate: SampleRate
  ) throws(GraphError) -> any PlayableUnit {
    let restored: SavedGraph.Restored
    do throws(GraphError) {
      restored = try SavedGraph(units: [unit]).restored(by: registry, rate: rate)
    } catch {
      guard case .badDocument(let place, let reason) = error else { throw error }
      throw .badDocument(path: path + place.dropFirst("units[0]".count), reason: reason)
    }
    let made = restored.nodes[unit.id].flatMap { restored.graph.unit(at: $0) }
    guard let instrument = made as? any PlayableUnit,
      (made as? LV2Unit)?.plugin.isInstrument != false
    else { throw .badDocument(path: path, reason: "\(unit.name) is not an instrument") }
    return instrument
  }
}
