// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Converts packets of PCM, μ-law and A-law to samples.
final class PCMDecoding: SampleDecoding {
  private let layout: PCMLayout
  private let layer: SoundLayer
  private var ready: PacketDecoding.Frames<Double>?

  /// Creates a decoder.
  init(_ layout: PCMLayout, _ layer: SoundLayer) {
    (self.layout, self.layer) = (layout, layer)
  }

  func send(_ bytes: [UInt8]) -> Bool {
    let frameBytes = layout.byteCount * layer.channelCount
    guard frameBytes > 0, let rate = SampleRate(hertz: layer.hertz), bytes.count >= frameBytes
    else { return false }
    let frames = bytes.count / frameBytes
    let shape = DecoderHandle.Shape(
      hertz: layer.hertz, channelCount: layer.channelCount, mask: layout.channelMask,
      frameCount: frames)
    let count = frames * layer.channelCount
    let samples = unsafe [Double](unsafeUninitializedCapacity: count) { buffer, done in
      guard let base = buffer.baseAddress else { return }
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe layout.convert(
          UnsafeRawBufferPointer(rebasing: bytes.prefix(frames * frameBytes)), to: base)
      }
      done = count
    }
    ready = PacketDecoding.Frames(shape: shape, rate: rate, samples: samples)
    return true
  }

  func receive() -> PacketDecoding.Frames<Double>? {
    defer { ready = nil }
    return ready
  }

  func drain() {}
}
