// SPDX-License-Identifier: Apache-2.0
internal import CoreAudio
internal import Foundation
internal import MusicalTime

/// The frames of a closure in another format than the engine's.
///
/// - Note: One thread at a time.
@safe
final class BlockSupply: @unchecked Sendable {
  // Unchecked: one thread at a time calls it, under the lock of its unit.

  private let format: AVAudioFormat
  private let block: AVAudioSourceNodeRenderBlock
  private let conversion: SupplyConversion
  private let buffer: AVAudioPCMBuffer
  private var rendered: Int64 = 0

  private static let limit = 4096

  @unsafe
  init?(
    _ format: AVAudioFormat, _ rate: SampleRate, _ block: @escaping AVAudioSourceNodeRenderBlock,
    to target: SampleRate, channelCount: Int
  ) {
    guard
      let conversion = SupplyConversion(
        from: rate, Int(format.channelCount), to: target, channelCount),
      let buffer = AVAudioPCMBuffer(
        pcmFormat: format, frameCapacity: AVAudioFrameCount(Self.limit))
    else { return nil }
    (self.format, self.conversion, self.buffer) = (format, conversion, buffer)
    unsafe self.block = block
  }

  /// Provides interleaved frames of the engine.
  ///
  /// - Parameter count: The number of frames.
  /// - Returns: The frames.
  func frames(_ count: Int) -> [Float] {
    conversion.frames(count) { render(min($0, Self.limit)) }
  }

  private func render(_ count: Int) -> [Float] {
    buffer.frameLength = AVAudioFrameCount(count)
    let list = unsafe buffer.memory.capacityList()
    defer { unsafe free(list.unsafeMutablePointer) }
    for index in unsafe list.indices {
      unsafe list[index].mDataByteSize = UInt32(count) * format.asbd.mBytesPerFrame
      if let data = unsafe list[index].mData {
        unsafe memset(data, 0, Int(list[index].mDataByteSize))
      }
    }
    var stamp = AudioTimeStamp()
    (stamp.mSampleTime, stamp.mFlags) = (Double(rendered), .sampleTimeValid)
    var isSilent = ObjCBool(false)
    let status = unsafe block(
      &isSilent, &stamp, AVAudioFrameCount(count), list.unsafeMutablePointer)
    rendered += Int64(count)
    let hasSound = status == noErr && !isSilent.boolValue
    return hasSound
      ? buffer.floats : Array(repeating: 0, count: count * Int(format.channelCount))
  }
}
