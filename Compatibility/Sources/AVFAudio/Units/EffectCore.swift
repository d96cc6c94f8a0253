// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Foundation
internal import MusicalTime

/// The values of an effect, as a program sets them.
protocol EffectValues: Sendable {
  /// The units whose parameters follow the values.
  associatedtype Units

  /// Creates units for one stereo bus, or a mono bus if the effect can be mono.
  ///
  /// - Parameters:
  ///   - rate: Frames per second.
  ///   - channelCount: 1 or 2.
  /// - Returns: The unit that contains all, and the units whose parameters follow.
  /// - Throws: An error of the units.
  func makeUnits(_ rate: SampleRate, channelCount: Int) throws -> (
    unit: any ProcessingUnit, units: Units
  )

  /// Sets the parameters of units.
  ///
  /// - Parameters:
  ///   - units: The units.
  ///   - seconds: The length of the change; nil for those of the parameters.
  func apply(to units: Units, over seconds: Double?)

  /// True if the units of other values cannot follow these.
  func needsOtherUnits(than other: Self) -> Bool
}

extension EffectValues {
  func needsOtherUnits(than other: Self) -> Bool { false }
}

/// The values of an effect and the unit that plays it.
protocol EffectCore: AnyObject, Sendable {
  /// Creates the unit; nil if it cannot be created.
  func makeUnit(_ shape: UnitShape) -> (any ProcessingUnit)?
}

/// An effect whose values can be changed while it plays.
///
/// - Note: Any thread; the render thread does not use it.
final class LiveEffect<Values: EffectValues>: EffectCore, @unchecked Sendable {
  // Unchecked: every access holds the lock.
  private let lock = NSLock()
  private var stored: Values
  private var units: Values.Units?

  init(_ values: Values) {
    stored = values
  }

  var values: Values { lock.withLock { stored } }

  /// Changes the values; returns true if the unit has to be replaced.
  func change(_ body: (inout Values) -> Void) -> Bool {
    lock.withLock {
      let old = stored
      body(&stored)
      guard !stored.needsOtherUnits(than: old) else { return true }
      if let units { stored.apply(to: units, over: nil) }
      return false
    }
  }

  func makeUnit(_ shape: UnitShape) -> (any ProcessingUnit)? {
    lock.withLock {
      let count = max(shape.inputs.first ?? 2, shape.outputChannelCount)
      do {
        let made = try stored.makeUnits(shape.rate, channelCount: count)
        stored.apply(to: made.units, over: 0)
        units = made.units
        return made.unit
      } catch {
        return nil
      }
    }
  }
}

extension SubgraphUnit {
  /// Creates a chain of units with one bus.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - units: The units in the order of the sound; they have the channels of the bus.
  ///   - channelCount: The channels.
  /// - Returns: The chain.
  /// - Throws: `GraphError` if channels differ.
  static func chain(
    _ name: String, _ units: [any ProcessingUnit], channelCount: Int
  ) throws(GraphError) -> SubgraphUnit {
    let inlet = Inlet(channelCount: channelCount)
    var graph = AudioGraph()
    var last = graph.add(inlet)
    for unit in units {
      let node = graph.add(unit)
      try graph.connect(last, to: node)
      last = node
    }
    try graph.setHead(last)
    return try SubgraphUnit(name: name, graph, inlets: [inlet])
  }
}

extension SettableUnit {
  /// Sets a parameter to the nearest value in its range.
  func set(_ setting: Setting, to value: Float, over seconds: Double?) {
    parameters.hold(setting.rawValue, to: value, over: seconds)
  }
}
