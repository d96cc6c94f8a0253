// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CommandKit
internal import LV2Units
internal import MusicalTime
internal import PlayerControl

/// Renders a plug-in four times, twice with fixed controls and twice with moving controls, and
/// finds its faults.
struct PluginRehearsal {
  /// The duration of a block, in nanoseconds.
  private static let period =
    Double(AudioFormat.quantum) / Double(RehearsalTake.rate.hertz) * 1e9

  /// The faults.
  private(set) var faults: [PluginFault] = []
  /// The rendering time as a fraction of real time, with fixed controls.
  let load: Double
  /// The longest rendering time of a block, in nanoseconds, with fixed controls.
  let longest: Double

  /// Renders a plug-in.
  ///
  /// - Parameters:
  ///   - uri: The URI of the plug-in.
  ///   - world: The world that contains it.
  ///   - tell: Called with the next step before each step that may end the process.
  /// - Throws: `LV2Error` if it cannot be used; `GraphError` if it does not fit.
  init(_ uri: String, in world: LV2World, tell: (String) -> Void) throws {
    let plugin = try world.plugin(named: uri)
    func take(movesControls: Bool) throws -> RehearsalTake {
      try RehearsalTake(plugin, in: world, movesControls: movesControls, tell: tell)
    }
    let alone = try (take(movesControls: false), take(movesControls: false))
    let moved = try (take(movesControls: true), take(movesControls: true))
    // A fault that occurs both times belongs to the plug-in; one that occurs once may be due to
    // another program.
    let times = zip(alone.0.blocks, alone.1.blocks).map { min($0.nanoseconds, $1.nanoseconds) }
    let movedTimes = zip(moved.0.blocks, moved.1.blocks).map { min($0.nanoseconds, $1.nanoseconds) }
    load = times.reduce(0, +) / Double(times.count) / Self.period
    longest = times.max() ?? 0

    note(.noNumber, of: plugin, alone: alone.0, moved: moved.0) { $0.faultyCount }
    if alone.0.samples != alone.1.samples { faults.append(PluginFault(.differs)) }
    if max(alone.0.refusedWork, moved.0.refusedWork) > 0 { faults.append(PluginFault(.work)) }
    note(.allocates, of: plugin, alone: alone.0, moved: moved.0) { $0.calls.allocations }
    note(.frees, of: plugin, alone: alone.0, moved: moved.0) {
      $0.calls.allocations > 0 ? 0 : $0.calls.releases
    }
    note(.locks, of: plugin, alone: alone.0, moved: moved.0) { $0.calls.locks }
    note(.waits, of: plugin, alone: alone.0, moved: moved.0) { $0.calls.waits }
    note(.asks, of: plugin, alone: alone.0, moved: moved.0) { $0.calls.numbers }
    if load >= 1 {
      faults.append(PluginFault(.slow))
    } else if longest > Self.period {
      noteSlow(times)
    } else if let most = movedTimes.max(), most > Self.period {
      noteSlow(movedTimes)
      let block = movedTimes.firstIndex(of: most).flatMap { moved.0.blocks[$0].moved }
      faults[faults.count - 1].control = block.map { plugin.controls[$0].symbol }
    }
  }

  /// Records a fault that a count shows.
  ///
  /// - Parameters:
  ///   - kind: The kind of fault.
  ///   - plugin: The plug-in.
  ///   - alone: The blocks with fixed controls.
  ///   - moved: The same blocks with moving controls; only the difference is recorded.
  ///   - count: Returns the count in a block.
  private mutating func note(
    _ kind: PluginFault.Kind, of plugin: LV2Plugin, alone: RehearsalTake, moved: RehearsalTake,
    _ count: (RehearsalTake.Block) -> Int
  ) {
    let counts = alone.blocks.map(count)
    if let fault = Self.fault(kind, counts) { faults.append(fault) }
    let more = zip(moved.blocks.map(count), counts).map { max(0, $0 - $1) }
    guard var fault = Self.fault(kind, more), let control = moved.blocks[fault.first - 1].moved
    else { return }
    fault.control = plugin.controls[control].symbol
    faults.append(fault)
  }

  private static func fault(_ kind: PluginFault.Kind, _ counts: [Int]) -> PluginFault? {
    guard let first = counts.firstIndex(where: { $0 > 0 }) else { return nil }
    var fault = PluginFault(kind)
    fault.count = counts.reduce(0, +)
    fault.blocks = counts.count { $0 > 0 }
    fault.first = first + 1
    return fault
  }

  private mutating func noteSlow(_ times: [Double]) {
    var fault = PluginFault(.slowBlock)
    fault.milliseconds = (times.max() ?? 0) / 1e6
    fault.blocks = times.count { $0 > Self.period }
    fault.first = 1 + (times.firstIndex { $0 > Self.period } ?? 0)
    faults.append(fault)
  }
}
