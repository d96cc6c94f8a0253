// SPDX-License-Identifier: Apache-2.0

/// Converts packets of PCM, μ-law and A-law to samples.
final class PCMDecoding: SampleDecoding {
  private let layout: PCMLayout
  private let layer: SoundLayer
  private var ready: PacketDecoding.Frames<Double>?

  /// Creates a decoder.
  init(_ layout: PCMLayout, _ layer: SoundLayer) {
    (self.layout, self.layer) = (layout, layer)
  }

  func send(_ bytes: [UInt8]) -> Bool { false }

  func receive() -> PacketDecoding.Frames<Double>? {
    defer { ready = nil }
    return ready
  }

  func drain() {}
}
