// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CoreAudio
public import Foundation
internal import MIDIMessages
internal import MusicalTime

/// A part of an engine: it produces, mixes or outputs sound.
open class AVAudioNode: NSObject, @unchecked Sendable {
  /// Held for every access to what follows; inside of an engine's lock.
  private let engineLock = NSLock()
  private weak var attachedEngine: AVAudioEngine?
  private var tapsByBus: [AVAudioNodeBus: NodeTap] = [:]
  private var unitsMade = 0
  /// The volume and the position in a mixer or an environment.
  let nodeLevels = NodeLevels()

  override init() {
    super.init()
  }

  /// The engine to which the node is attached, or nil.
  open var engine: AVAudioEngine? { engineLock.withLock { attachedEngine } }

  /// Attaches the node to an engine; returns the engine before it.
  func claim(for engine: AVAudioEngine) -> AVAudioEngine? {
    engineLock.withLock {
      defer { attachedEngine = engine }
      return attachedEngine
    }
  }

  /// Detaches the node from an engine, if it is attached to it.
  func leave(_ engine: AVAudioEngine) {
    engineLock.withLock { if attachedEngine === engine { attachedEngine = nil } }
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
  ///
  /// In front of a time effect, it is in frames of the section, as the effect has asked for them.
  open var lastRenderTime: AVAudioTime? { engine?.renderTime(of: self) }

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
  /// - Returns: The number of channels.
  func unitChannelCount(_ format: AVAudioFormat?) -> Int {
    min(2, max(1, Int(format?.channelCount ?? 2)))
  }

  /// The destination for MIDI events, in frames of the engine; nil for a node that is not an
  /// instrument.
  ///
  /// It stays the same while the node exists, and accepts events on any thread, one at a time.
  var eventSink: (any EventSink<ReferenceTime> & Sendable)? { nil }

  /// Counts the changes that need another unit.
  ///
  /// - Parameter sources: The nodes that are connected to the inputs.
  /// - Returns: Another number after such a change.
  func unitVersion(_ sources: [Int: AVAudioNode]) -> Int { engineLock.withLock { unitsMade } }

  /// Replaces the unit, if there is one, by another from `makeUnit`.
  func replaceUnit() {
    engineLock.withLock { unitsMade += 1 }
    engine?.edit()
  }

  /// The object that works for the unit outside of the render thread, or nil.
  var served: (any EngineServed)? { nil }

  /// Sets the volumes of the unit's inputs.
  func setLevels(_ unit: any ProcessingUnit, _ sources: [Int: AVAudioNode]) {}
}

// MARK: Taps
extension AVAudioNode {
  /// Sends copies of the sound of an output to a closure, in place of an earlier tap.
  ///
  /// The closure is called on a queue, also in manual rendering mode. A slow closure does not delay
  /// the sound: on a device, frames that it does not fetch within a second are lost, and counted by
  /// `droppedFrameCount(onBus:)`.
  ///
  /// - Parameters:
  ///   - bus: The output. A tap on another bus is not installed.
  ///   - bufferSize: The frames of a buffer; 64…65,536 are used.
  ///   - format: The PCM format of the buffers; nil for one or two channels of single precision at the
  ///     rate of the engine.
  ///   - tapBlock: Receives the buffers. The time of a buffer is a sample time of the engine, in the
  ///     rate of the format, and on a device also a host time.
  public func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping AVAudioNodeTapBlock
  ) {
    guard (0..<numberOfOutputs).contains(bus) else { return }
    let tap = NodeTap(bufferFrames: Int(bufferSize), format: format, tapBlock)
    let old = engineLock.withLock {
      defer { tapsByBus[bus] = tap }
      return tapsByBus[bus]
    }
    engine?.edit()
    old?.cancel()
    engine?.openInput()
  }

  /// Removes the tap of an output.
  ///
  /// The closure is not called after the return; a call on another thread that is under way is waited
  /// for. Sound that was rendered but not delivered is dropped.
  ///
  /// - Parameter bus: The output.
  public func removeTap(onBus bus: AVAudioNodeBus) {
    let old = engineLock.withLock { tapsByBus.removeValue(forKey: bus) }
    guard let old else { return }
    engine?.edit()
    old.cancel()
  }

  /// Returns the frames that the tap of an output has lost, because its closure was too slow.
  ///
  /// - Parameter bus: The output.
  /// - Returns: The number; 0 without a tap.
  public func droppedFrameCount(onBus bus: AVAudioNodeBus) -> Int {
    engineLock.withLock { tapsByBus[bus] }?.droppedFrameCount ?? 0
  }

  /// The taps of all outputs.
  var taps: [NodeTap] { engineLock.withLock { Array(tapsByBus.values) } }
}

/// The formats of a node's unit.
struct UnitShape: Equatable {
  /// The rate of the engine.
  let rate: SampleRate
  /// The channels of each input, 1 or 2, as its source puts them out; 2 if it is not connected.
  let inputs: [Int]
  /// The format of the output.
  let output: AVAudioFormat
  /// The node's count of changes that need another unit.
  let version: Int

  /// The shape of a unit with one stereo bus at the same rate.
  var stereo: UnitShape {
    UnitShape(
      rate: rate, inputs: [2],
      output: AVAudioEngine.format(hertz: Int(rate.hertz), channels: 2), version: version)
  }

  /// The channels of the output, 1 or 2.
  var outputChannelCount: Int { min(2, max(1, Int(output.channelCount))) }
}
