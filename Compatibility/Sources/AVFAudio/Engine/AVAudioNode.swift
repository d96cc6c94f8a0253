// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CoreAudio
public import Foundation
internal import MIDIMessages
internal import MusicalTime

/// The base class of the nodes of an engine, which produce, process or output audio.
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

  /// The engine to which the node is attached; nil if it is not attached.
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

  /// The number of inputs of the node.
  open var numberOfInputs: Int { 0 }

  /// The number of outputs of the node.
  open var numberOfOutputs: Int { 1 }

  /// Returns the format of an input.
  ///
  /// - Parameter bus: The number of the input.
  /// - Returns: The format of the connection; if the input is not connected, two channels at the
  ///   sample rate of the engine.
  open func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    engine?.format(of: self, input: bus) ?? usualFormat
  }

  /// Returns the format of an output.
  ///
  /// - Parameter bus: The number of the output.
  /// - Returns: The format of the connection; if the output is not connected, two channels at the
  ///   sample rate of the engine.
  open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    engine?.format(of: self, output: bus) ?? usualFormat
  }

  /// The time of the next frame to be rendered, as a sample time of the engine; nil if the engine
  /// is not running.
  ///
  /// For a node before a time effect, the time counts the frames that the effect has requested.
  open var lastRenderTime: AVAudioTime? { engine?.renderTime(of: self) }

  /// Discards the audio that is stored in the node.
  ///
  /// The base class does nothing.
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
  /// Installs a tap: a closure that receives copies of the audio of an output.
  ///
  /// An existing tap on the output is replaced. The closure is called on a queue, also in manual
  /// rendering mode. A slow closure does not delay playback: if the engine runs on a device and the
  /// closure is more than about a second late, frames are lost, and `droppedFrameCount(onBus:)`
  /// counts them.
  ///
  /// - Parameters:
  ///   - bus: The number of the output. If the output does not exist, the tap is not installed.
  ///   - bufferSize: The number of frames per buffer, clamped to 64…65,536.
  ///   - format: The PCM format of the buffers; nil for one or two channels with 32-bit
  ///     floating-point samples at the sample rate of the engine.
  ///   - tapBlock: The closure. The time of a buffer is a sample time of the engine at the rate of
  ///     `format`. If the engine runs on a device, it also contains a host time.
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
  /// The method waits for a call of the closure that is running on another thread; after that the
  /// closure is not called again. Audio that has not been delivered yet is discarded.
  ///
  /// - Parameter bus: The number of the output.
  public func removeTap(onBus bus: AVAudioNodeBus) {
    let old = engineLock.withLock { tapsByBus.removeValue(forKey: bus) }
    guard let old else { return }
    engine?.edit()
    old.cancel()
  }

  /// Returns the number of frames that a tap has lost because its closure was too slow.
  ///
  /// - Parameter bus: The number of the output with the tap.
  /// - Returns: The number of lost frames; 0 if the output does not have a tap.
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
