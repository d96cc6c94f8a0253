// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CommandKit
internal import LV2Units
internal import MusicalTime
internal import PlayerControl

/// A plug-in that renders four times, twice left alone and twice with its controls moved, and what is
/// wrong with that.
struct PluginRehearsal {
  /// The time that a block sounds, in nanoseconds.
  private static let period =
    Double(AudioFormat.quantum) / Double(RehearsalTake.rate.hertz) * 1e9

  /// What is wrong.
  private(set) var faults: [PluginFault] = []
  /// The share of the time that it took of what it rendered while it was left alone.
  let load: Double
  /// The longest block of that, in nanoseconds.
  let longest: Double

  /// Has a plug-in render.
  ///
  /// - Parameters:
  ///   - uri: the plug-in.
  ///   - world: where it was found.
  ///   - tell: is told what happens next, where something may end the process.
  /// - Throws: `LV2Error` where it cannot be used; `GraphError` where it does not fit.
  init(_ uri: String, in world: LV2World, tell: (String) -> Void) throws {
    let plugin = try world.plugin(named: uri)
    func take(movesControls: Bool) throws -> RehearsalTake {
      try RehearsalTake(plugin, in: world, movesControls: movesControls, tell: tell)
    }
    let alone = try (take(movesControls: false), take(movesControls: false))
    let moved = try (take(movesControls: true), take(movesControls: true))
    // What befalls both times is the plug-in's; what does so once may be another program's.
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

  /// Notes a fault that a count shows.
  ///
  /// - Parameters:
  ///   - kind: The kind of fault.
  ///   - plugin: The plug-in.
  ///   - alone: The blocks in which no control was moved.
  ///   - moved: The same blocks with controls moved; only what they have in addition is noted.
  ///   - count: The count in a block.
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
