// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CoreAudio
public import Foundation
internal import MIDIMessages
internal import MusicalTime

/// A part of an engine: it produces, mixes or outputs sound.
open class AVAudioNode: NSObject, @unchecked Sendable {
  /// Held for every access to `attachedEngine`; inside of an engine's lock.
  private let engineLock = NSLock()
  private weak var attachedEngine: AVAudioEngine?

  override init() {
    super.init()
  }

  /// The engine to which the node is attached, or nil.
  open var engine: AVAudioEngine? { engineLock.withLock { attachedEngine } }

  func setEngine(_ engine: AVAudioEngine?) {
    engineLock.withLock { attachedEngine = engine }
  }

  /// The number of inputs.
  open var numberOfInputs: Int { 0 }

  /// The number of outputs.
  open var numberOfOutputs: Int { 1 }

  /// Returns the format of an input.
  ///
  /// - Parameter bus: The number of the input.
  /// - Returns: The format of the connection, or the node's usual one.
  open func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    engine?.format(of: self, input: bus) ?? usualFormat
  }

  /// Returns the format of an output.
  ///
  /// - Parameter bus: The number of the output.
  /// - Returns: The format of the connection, or the node's usual one.
  open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    engine?.format(of: self, output: bus) ?? usualFormat
  }

  /// The time of the frame that is rendered next, in frames of the engine; nil without an engine
  /// that runs.
  open var lastRenderTime: AVAudioTime? { engine?.renderTime }

  /// Forgets the sound that the node keeps.
  open func reset() {}

  /// Two channels at the engine's sample rate.
  var usualFormat: AVAudioFormat {
    engine?.usualFormat ?? AVAudioEngine.format(hertz: AVAudioEngine.usualRate, channels: 2)
  }

  // MARK: For the engine

  /// Creates the unit that renders the node; nil for a node that only passes sound on.
  ///
  /// The engine calls this under its lock when it starts, and again if the shape changes. The unit
  /// may have other numbers of channels than the shape: the engine converts between them.
  func makeUnit(_ shape: UnitShape) -> (any ProcessingUnit)? { nil }

  /// True if any number of inputs can be connected, as those of a mixer.
  var hasAnyInputs: Bool { false }

  /// The channels that the unit puts out, 1 or 2.
  ///
  /// - Parameter format: The format of the first connection; nil if the output is not connected.
  func unitChannelCount(_ format: AVAudioFormat?) -> Int {
    min(2, max(1, Int(format?.channelCount ?? 2)))
  }

  /// The destination for MIDI events, in frames of the engine; nil for a node that is not an
  /// instrument.
  ///
  /// It stays the same while the node exists, and accepts events on any thread, one at a time.
  var eventSink: (any EventSink<ReferenceTime> & Sendable)? { nil }

  /// The object that works for the unit beside the render thread, or nil.
  var served: (any EngineServed)? { nil }

  /// Sets the volumes of the unit's inputs.
  func setLevels(_ unit: any ProcessingUnit, _ sources: [Int: AVAudioNode]) {}
}

/// The formats of a node's unit.
struct UnitShape: Equatable {
  /// The rate of the engine.
  let rate: SampleRate
  /// The channels of each input, 1 or 2, as its source puts them out; 2 if it is not connected.
  let inputs: [Int]
  /// The format of the output.
  let output: AVAudioFormat

  /// The channels of the output, 1 or 2.
  var outputChannelCount: Int { min(2, max(1, Int(output.channelCount))) }
}
