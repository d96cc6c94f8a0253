// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import AudioToolbox
internal import CoreAudio
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// The node that provides audio from the input device or, in manual rendering mode, from a closure.
open class AVAudioInputNode: AVAudioIONode, AVAudioMixing, @unchecked Sendable {
  private let state = Mutex(State())
  /// Is set if the closure of manual rendering does not provide enough sound.
  let shortage = InputShortage()

  private struct State: @unchecked Sendable {
    // Unchecked: used under the lock.
    var reader: InputReader?
    var rate: SampleRate?
    var channelCount = 0
    /// The format and the closure of manual rendering.
    var format: AVAudioFormat?
    var unit: InputBlockUnit?
  }

  /// The number of inputs: always 0, since the node receives its audio from a device or closure.
  override open var numberOfInputs: Int { 0 }

  /// Returns the format of the input device.
  ///
  /// - Parameter bus: Not used.
  /// - Returns: One or two channels at the sample rate of the engine; 0 channels at 0 Hz if the
  ///   machine cannot record. In manual rendering mode, this is the format that was set with
  ///   `setManualRenderingInputPCMFormat(_:inputBlock:)`.
  override open func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { deviceFormat }

  /// Returns the format of an output of the node.
  ///
  /// - Parameter bus: The number of the output.
  /// - Returns: The format of the connection; if the output is not connected, the format of the
  ///   input device.
  override open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    engine?.format(of: self, output: bus) ?? deviceFormat
  }

  private var deviceFormat: AVAudioFormat {
    if let format = state.withLock(\.format) { return format }
    guard let engine, !engine.isInManualRenderingMode else { return usualFormat }
    let count = state.withLock { $0.reader == nil ? nil : $0.channelCount }
    guard let channels = count ?? engine.hardware.inputChannelCount() else {
      return AVAudioEngine.format(hertz: 0, channels: 0)
    }
    return AVAudioEngine.format(
      hertz: Int(engine.rate.hertz), channels: UInt32(min(2, max(1, channels))))
  }

  override func unitChannelCount(_ format: AVAudioFormat?) -> Int {
    let own = state.withLock { $0.format.map { Int($0.channelCount) } ?? $0.channelCount }
    return own > 0 ? min(2, own) : super.unitChannelCount(format)
  }

  // MARK: The device

  /// Opens the input device, unless it is open.
  ///
  /// - Parameters:
  ///   - hardware: Opens the device.
  ///   - rate: The rate of the engine.
  /// - Returns: True if the device was opened, so that the node has another unit.
  /// - Throws: The error of the device; a `DeviceError` if the machine cannot record.
  func open(_ hardware: EngineHardware, rate: SampleRate) throws -> Bool {
    if state.withLock({ $0.reader != nil && $0.rate == rate }) { return false }
    guard let channels = hardware.inputChannelCount() else {
      throw AVFAudioError.error(
        kAudioUnitErr_FailedInitialization, call: "start()",
        reason: "an input device was not found (connect one, or do not use the input node)")
    }
    let count = min(2, max(1, channels))
    let input = try hardware.makeInput(RecorderInputShape(rate: rate, channelCount: count))
    nonisolated(unsafe) let device = input
    let reader = try unsafe InputReader(device, name: "input", clock: .own)
    let old = state.withLock { state in
      defer { (state.reader, state.rate, state.channelCount) = (reader, rate, count) }
      return state.reader
    }
    withExtendedLifetime(old) {}
    return true
  }

  /// Closes the input device.
  func close() {
    let old = state.withLock { state in
      defer { (state.reader, state.rate) = (nil, nil) }
      return state.reader
    }
    withExtendedLifetime(old) {}
  }

  /// True if the input device was lost.
  var isLost: Bool {
    guard let reader = state.withLock(\.reader) else { return false }
    return reader.isAway || reader.failure != nil
  }

  override func makeUnit(_ shape: UnitShape) -> (any ProcessingUnit)? {
    let (reader, unit) = state.withLock { ($0.reader, $0.unit) }
    if let engine, engine.isInManualRenderingMode { return unit }
    return reader?.unit
  }

  // MARK: Manual rendering

  /// Sets the closure that provides audio in manual rendering mode.
  ///
  /// The closure is called on the thread that renders, for at most 64 frames at a time.
  ///
  /// - Parameters:
  ///   - format: The format of the audio: one or two channels with 32-bit floating-point samples,
  ///     at the sample rate of manual rendering.
  ///   - block: The closure that provides the audio.
  /// - Returns: True if the closure was set; false if the format is not supported, the engine is
  ///   running, or the engine is not in manual rendering mode.
  open func setManualRenderingInputPCMFormat(
    _ format: AVAudioFormat, inputBlock block: @escaping AVAudioIONodeInputBlock
  ) -> Bool {
    guard let engine, engine.isInManualRenderingMode, !engine.isRunning,
      let rate = SampleRate(description: format.sampleRate), rate == engine.rate,
      format.commonFormat == .pcmFormatFloat32, (1...2).contains(format.channelCount)
    else { return false }
    let unit = unsafe InputBlockUnit(format, block, shortage, rate: rate)
    state.withLock { state in (state.format, state.unit) = (format, unit) }
    engine.edit()
    return true
  }
}
