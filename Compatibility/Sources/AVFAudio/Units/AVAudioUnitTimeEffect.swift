// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import AudioToolbox
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// An effect that changes the playback rate or the pitch of its input.
///
/// The nodes before the effect in the signal path are rendered at a rate that the effect
/// determines. Their outputs can be connected only to the effect and to other nodes before it.
///
/// - Note: Any thread.
open class AVAudioUnitTimeEffect: AVAudioUnit, @unchecked Sendable {
  private let isBypassed = Mutex(false)
  private let current = CurrentTimeUnit()

  override init(_ component: UnitComponent) {
    super.init(component)
  }

  override init(_ description: AudioComponentDescription) {
    super.init(description)
  }

  /// The number of inputs: always 1.
  override open var numberOfInputs: Int { 1 }

  override func unitChannelCount(_ format: AVAudioFormat?) -> Int { 2 }

  /// True if the effect is bypassed and its input passes through unchanged; false by default.
  ///
  /// If the value changes while the engine runs, the nodes before the effect are restarted.
  open var bypass: Bool {
    get { isBypassed.withLock { $0 } }
    set {
      let hasChanged = isBypassed.withLock { value in
        defer { value = newValue }
        return value != newValue
      }
      if hasChanged { replaceUnit() }
    }
  }

  /// Creates the unit of a graph that runs at its own rate.
  func makeTimeUnit(_ graph: AudioGraph, _ rate: SampleRate) throws -> any TimeUnit {
    try VarispeedUnit(graph, rate: rate)
  }

  /// Sets the parameters of a unit.
  func apply(to unit: any TimeUnit, over seconds: Double?) {}

  /// Creates the unit of the nodes in front of the effect.
  ///
  /// - Parameters:
  ///   - graph: The units of the nodes.
  ///   - rate: The rate of the engine.
  /// - Returns: The unit.
  /// - Throws: `GraphError`, or an error of the effect's library.
  func makeUnit(of graph: AudioGraph, _ rate: SampleRate) throws -> any TimeUnit {
    let unit: any TimeUnit
    if bypass {
      unit = try VarispeedUnit(graph, rate: rate)
    } else {
      unit = try makeTimeUnit(graph, rate)
      apply(to: unit, over: 0)
    }
    current.set(unit)
    return unit
  }

  /// Applies new values to the present unit.
  func valuesChanged() {
    guard !bypass else { return }
    current.change { apply(to: $0, over: nil) }
  }
}

/// A unit that runs a graph at another rate.
protocol TimeUnit: ParametricUnit {
  var plan: RenderPlan { get }
  /// The first frame of the graph that was not rendered.
  var innerPosition: SampleTime { get }
}

/// The present unit of a time effect.
private final class CurrentTimeUnit: @unchecked Sendable {
  // Every access holds the lock.
  private let lock = NSLock()
  private weak var unit: (any TimeUnit)?

  func set(_ unit: any TimeUnit) { lock.withLock { self.unit = unit } }

  func change(_ body: (any TimeUnit) -> Void) {
    lock.withLock { if let unit { body(unit) } }
  }
}
