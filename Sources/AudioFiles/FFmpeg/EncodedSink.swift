// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// Writes a file that FFmpeg encodes.
final class EncodedSink: FrameSink {
  private var encoder: EncoderHandle
  private let target: any EncodedTarget
  private let packet: PacketHandle
  private let channelCount: Int
  private var waiting: [Double] = []
  private var frameCount: Int64 = 0
  /// True if the encoder accepts complete packets only.
  private let fillsLast: Bool
  private var isClosed = false
  private(set) var reason = "no reason given"

  /// Opens an encoder and a container.
  ///
  /// - Throws: `SoundFileError.codecsMissing` without FFmpeg, `.cannotEncode` if FFmpeg fails.
  init(
    _ stream: FileStream, _ recipe: EncodingRecipe, channelCount: Int, hertz: Int,
    _ options: SoundFileWriter.Options, path: String
  ) throws(SoundFileError) {
    let library = try unsafe FFmpegLibrary.table(for: path)
    let layout = options.layout ?? .usual(channelCount: channelCount)
    guard let mask = layout.mask, layout.roles.count == channelCount,
      let packet = unsafe PacketHandle(library)
    else { throw .impossibleShape(path: path, channelCount: channelCount, hertz: hertz) }
    encoder = try unsafe EncoderHandle(library, recipe, hertz: hertz, mask: mask, path: path)
    if let codec = recipe.cafCodec {
      target = try unsafe CAFTarget(
        stream, library, codec, encoder, layout: layout, hertz: hertz, options.metadata, path: path)
    } else {
      target = try unsafe MuxedTarget(
        MuxerHandle(
          stream, library, recipe, encoder, hertz: hertz, tags: options.metadata.tags, path: path))
    }
    fillsLast = recipe.cafCodec == .imaADPCM
    self.packet = packet
    self.channelCount = channelCount
  }

  func write(_ samples: UnsafePointer<Float>, frameCount: Int) -> Int {
    let all = unsafe UnsafeBufferPointer(start: samples, count: frameCount * channelCount)
    unsafe waiting.append(contentsOf: all.lazy.map { Double($0) })
    return encode(frameCount) ? frameCount : 0
  }

  func write(_ samples: UnsafePointer<Double>, frameCount: Int) -> Int {
    let all = unsafe UnsafeBufferPointer(start: samples, count: frameCount * channelCount)
    unsafe waiting.append(contentsOf: all)
    return encode(frameCount) ? frameCount : 0
  }

  func write(_ samples: UnsafePointer<Int32>, frameCount: Int) -> Int {
    let all = unsafe UnsafeBufferPointer(start: samples, count: frameCount * channelCount)
    unsafe waiting.append(contentsOf: all.lazy.map(\.value))
    return encode(frameCount) ? frameCount : 0
  }

  func close() -> Bool {
    guard !isClosed else { return true }
    isClosed = true
    if !waiting.isEmpty {
      let missing = encoder.framesPerPacket * channelCount - waiting.count
      if fillsLast { waiting += Array(repeating: 0, count: max(0, missing)) }
      guard succeeds(encoder.send(waiting[...], channelCount: channelCount)), passOn() else {
        return false
      }
    }
    return succeeds(encoder.drain()) && passOn()
      && succeeds(target.finish(frameCount: frameCount))
  }

  /// Encodes complete packets of the waiting samples.
  private func encode(_ count: Int) -> Bool {
    frameCount += Int64(count)
    let step = encoder.framesPerPacket * channelCount
    var place = 0
    while waiting.count - place >= step {
      let part = waiting[place..<place + step]
      guard succeeds(encoder.send(part, channelCount: channelCount)), passOn() else { return false }
      place += step
    }
    waiting.removeFirst(place)
    return true
  }

  /// Writes the packets that the encoder has ready.
  private func passOn() -> Bool {
    while true {
      let code = encoder.receive(packet)
      if code == FFmpegLibrary.again || code == cffmpeg_end() { return true }
      guard succeeds(code), succeeds(target.write(packet)) else { return false }
    }
  }

  private func succeeds(_ code: Int32) -> Bool {
    if code < 0 { reason = FFmpegLibrary.reason(code) }
    return code >= 0
  }
}
