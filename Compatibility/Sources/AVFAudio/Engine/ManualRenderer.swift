// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import CoreAudio
internal import Foundation
internal import Synchronization

/// The renderer of the program's calls, from a start of the engine to a stop.
///
/// A call that finds another call under way does not wait for it.
final class ManualRenderer: @unchecked Sendable {
  // Unchecked: the target is used under the lock.

  private struct Target {
    let rendering: EngineRendering
    let manual: AVAudioEngine.Manual
  }

  private let lock = NSLock()
  private var target: Target?

  func set(_ rendering: EngineRendering, _ manual: AVAudioEngine.Manual) {
    rendering.noteRun()
    lock.withLock { target = Target(rendering: rendering, manual: manual) }
  }

  /// Ends rendering; waits for a call that is under way.
  func clear() {
    let old = lock.withLock { target.take() }
    withExtendedLifetime(old) {}
  }

  /// Renders frames for a block; the thread does not wait, and does not allocate in the mode
  /// `realtime`.
  func render(
    _ count: AVAudioFrameCount, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ error: UnsafeMutablePointer<OSStatus>?
  ) -> AVAudioEngineManualRenderingStatus {
    unsafe error?.pointee = noErr
    guard lock.try() else { return .cannotDoInCurrentContext }
    defer { lock.unlock() }
    guard let target else {
      unsafe error?.pointee = AVAudioEngineManualRenderingError.notRunning.rawValue
      return .error
    }
    guard count <= target.manual.maximum else {
      unsafe error?.pointee = kAudioUnitErr_TooManyFramesToProcess
      return .error
    }
    var writer = unsafe BufferListWriter(list, target.manual.format, frames: Int(count))
    guard writer.isReady else {
      unsafe error?.pointee = kAudio_ParamError
      return .error
    }
    do {
      let isFull = try target.rendering.render(Int(count)) { writer.write($0) }
      return isFull ? .success : .insufficientDataFromInputNode
    } catch {
      return .error
    }
  }

  /// Renders frames that are returned as one array.
  ///
  /// - Returns: The frames of two channels, and the status.
  func render(
    _ count: Int
  ) throws -> (samples: [Float], status: AVAudioEngineManualRenderingStatus) {
    guard lock.try() else { return ([], .cannotDoInCurrentContext) }
    defer { lock.unlock() }
    guard let target else {
      throw AVFAudioError.error(
        AVAudioEngineManualRenderingError.notRunning.rawValue, call: "renderOffline(_:to:)")
    }
    var samples: [Float] = []
    samples.reserveCapacity(2 * count)
    let isFull = try target.rendering.render(count) { part in
      for index in part.indices { samples.append(part[index]) }
    }
    return (samples, isFull ? .success : .insufficientDataFromInputNode)
  }
}

/// Writes frames of two channels to a list of a program's buffers.
///
/// One channel is the mean of the two; channels after the second are silent.
@safe
struct BufferListWriter {
  private let list: UnsafeMutableAudioBufferListPointer
  private let channelCount: Int
  private let isPlanar: Bool
  private var place = 0
  /// True if the list has room for the frames, in a format of single precision.
  let isReady: Bool

  @unsafe
  init(_ list: UnsafeMutablePointer<AudioBufferList>, _ format: AVAudioFormat, frames: Int) {
    let description = format.asbd
    unsafe self.list = UnsafeMutableAudioBufferListPointer(list)
    channelCount = Int(description.mChannelsPerFrame)
    isPlanar = description.isPlanar
    let size = frames * Int(description.mBytesPerFrame)
    var fits =
      unsafe description.commonFormat == .pcmFormatFloat32
      && self.list.count == description.bufferCount
    if fits {
      for index in unsafe self.list.indices {
        let room = unsafe self.list[index].mData == nil ? -1 : Int(self.list[index].mDataByteSize)
        if room < size { fits = false }
      }
    }
    isReady = fits
  }

  mutating func write(_ samples: Span<Float>) {
    let count = samples.count / 2
    for channel in 0..<channelCount {
      guard let data = unsafe list[isPlanar ? channel : 0].mData else { continue }
      let step = isPlanar ? 1 : channelCount
      let target =
        unsafe data.assumingMemoryBound(to: Float.self)
        + (place * step + (isPlanar ? 0 : channel))
      for frame in 0..<count {
        let (left, right) = (samples[2 * frame], samples[2 * frame + 1])
        unsafe target[frame * step] =
          channelCount == 1 ? (left + right) / 2 : channel == 0 ? left : channel == 1 ? right : 0
      }
    }
    place += count
  }
}
