// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolbox
internal import AudioToolboxFiles
internal import CoreAudio
internal import Foundation
internal import MusicalTime

extension AVAudioEngine {
  /// Lets the program render, without a device.
  ///
  /// - Parameters:
  ///   - mode: The mode; both render as fast as possible.
  ///   - pcmFormat: The format of the buffers, 1…1024 channels.
  ///   - maximumFrameCount: The most frames of a call, at least 1.
  /// - Throws: An `NSError`: `AVAudioEngineManualRenderingError.initialized` if the engine runs or is
  ///   paused, −50 for another format.
  public func enableManualRenderingMode(
    _ mode: AVAudioEngineManualRenderingMode, format pcmFormat: AVAudioFormat,
    maximumFrameCount: AVAudioFrameCount
  ) throws {
    let call = "enableManualRenderingMode(_:format:maximumFrameCount:)"
    guard let rate = SampleRate(description: pcmFormat.sampleRate), pcmFormat.asbd.isPCM,
      (1...1024).contains(pcmFormat.channelCount), maximumFrameCount > 0
    else { throw AVFAudioError.error(kAudio_ParamError, call: call) }
    try moves.withLock {
      try lock.withLock {
        guard !runs, !(rendering?.hasRun ?? false) else {
          throw AVFAudioError.error(
            AVAudioEngineManualRenderingError.initialized.rawValue, call: call)
        }
        rendering = nil
        manual = Manual(mode: mode, format: pcmFormat, rate: rate, maximum: maximumFrameCount)
      }
    }
  }

  /// Ends the mode, and stops the engine.
  public func disableManualRenderingMode() {
    moves.withLock {
      stop()
      lock.withLock { manual = nil }
    }
  }

  /// True if the program renders.
  public var isInManualRenderingMode: Bool { lock.withLock { manual != nil } }

  /// The mode of rendering.
  public var manualRenderingMode: AVAudioEngineManualRenderingMode {
    lock.withLock { manual?.mode ?? .offline }
  }

  /// The format of the buffers.
  public var manualRenderingFormat: AVAudioFormat {
    lock.withLock { manual?.format } ?? usualFormat
  }

  /// The most frames of a call; 0 without the mode.
  public var manualRenderingMaximumFrameCount: AVAudioFrameCount {
    lock.withLock { manual?.maximum ?? 0 }
  }

  /// Frames that were rendered since the engine was started or reset.
  public var manualRenderingSampleTime: AVAudioFramePosition {
    lock.withLock { rendering?.position ?? 0 }
  }

  /// Renders frames.
  ///
  /// The sound is that of an `OfflineRenderer` with the same units. Changes between two calls take
  /// effect at the next multiple of 64 frames.
  ///
  /// - Parameters:
  ///   - numberOfFrames: The number of frames, at most `manualRenderingMaximumFrameCount`.
  ///   - buffer: A buffer of the rendering format with room for them; its length is set.
  /// - Returns: `success`; `insufficientDataFromInputNode`; `cannotDoInCurrentContext` if another call
  ///   renders, so that the buffer is not changed.
  /// - Throws: An `NSError`: an `AVAudioEngineManualRenderingError` if the engine is not in the mode
  ///   or does not run, −50 for another buffer, `kAudioUnitErr_TooManyFramesToProcess`.
  public func renderOffline(
    _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
  ) throws -> AVAudioEngineManualRenderingStatus {
    let call = "renderOffline(_:to:)"
    let manual = try lock.withLock { () throws -> Manual in
      guard let manual = self.manual else {
        throw AVFAudioError.error(
          AVAudioEngineManualRenderingError.invalidMode.rawValue, call: call)
      }
      guard runs else {
        throw AVFAudioError.error(
          AVAudioEngineManualRenderingError.notRunning.rawValue, call: call)
      }
      return manual
    }
    guard buffer.format.isEqual(manual.format), numberOfFrames <= buffer.frameCapacity else {
      throw AVFAudioError.error(kAudio_ParamError, call: call)
    }
    guard numberOfFrames <= manual.maximum else {
      throw AVFAudioError.error(kAudioUnitErr_TooManyFramesToProcess, call: call)
    }
    // Not under the lock: closures of the program render.
    let (samples, status) = try program.render(Int(numberOfFrames))
    if status != .cannotDoInCurrentContext {
      buffer.store(floats: try Self.arranged(samples, manual))
    }
    return status
  }

  /// A closure that renders frames into the buffers of a list.
  ///
  /// In the mode `realtime` it may be called on a real-time thread: it does not wait, allocate or
  /// lock. It renders in single precision: another format is an error with the status −50, and so is
  /// a list with too little room. Another call that is under way gives `cannotDoInCurrentContext`.
  /// The closure stays valid, and returns `error` while the engine does not run.
  public var manualRenderingBlock: AVAudioEngineManualRenderingBlock {
    { [program] count, list, error in unsafe program.render(count, list, error) }
  }

  /// Two channels as those of the format.
  private static func arranged(_ samples: [Float], _ manual: Manual) throws -> [Float] {
    let count = Int(manual.format.channelCount)
    guard count != 2 else { return samples }
    let converter = try SoundConverter(
      from: SoundConverter.Form(rate: manual.rate, layout: .usual(channelCount: 2)),
      to: SoundConverter.Form(rate: manual.rate, layout: .usual(channelCount: count)))
    converter.push(samples.span)
    converter.finish()
    return converter.take(Float.self, frameCount: samples.count / 2)
  }
}
