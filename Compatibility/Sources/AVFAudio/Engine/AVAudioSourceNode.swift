// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import AudioToolboxFiles
internal import CoreAudio
internal import Foundation
internal import MusicalTime

/// A node whose sound a closure of the program renders.
@safe
open class AVAudioSourceNode: AVAudioMixedNode, @unchecked Sendable {
  private let format: AVAudioFormat?
  private let block: AVAudioSourceNodeRenderBlock

  /// Creates a node that renders in the format of its connection.
  ///
  /// - Parameter block: Renders the sound.
  public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
    format = nil
    unsafe self.block = block
    super.init()
  }

  /// Creates a node that renders in a format.
  ///
  /// - Parameters:
  ///   - format: A PCM format; its sound is converted to the format of the connection.
  ///   - block: Renders the sound.
  public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
    self.format = format
    unsafe self.block = block
    super.init()
  }

  override func makeUnit(_ shape: UnitShape) -> (any ProcessingUnit)? {
    let count = shape.outputChannelCount
    let source = format ?? shape.output
    let rate = SampleRate(description: source.sampleRate) ?? shape.rate
    guard
      let supply = unsafe BlockSupply(
        source, rate, block, to: shape.rate, channelCount: count)
    else { return nil }
    return KernelUnit(
      SupplyKernel(supply: supply, channelCount: count), name: "source", outputs: [count],
      rate: shape.rate)
  }
}

/// The frames of a closure.
@safe
final class BlockSupply: FrameSupply, @unchecked Sendable {
  // One thread renders at a time.
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

  func frames(_ count: Int, at start: Int64) -> [Float] {
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
