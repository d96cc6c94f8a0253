// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Testing

@Suite struct AudioSpecificConfigTests {
  /// Bytes, and the layers: codec, rate, channels, frames per packet.
  static let configurations: [([UInt8], [SoundLayer])] = [
    ([0x12, 0x10], [layer(.aac, 44_100, 2, 1024)]),
    // By the object type.
    ([0x2B, 0x92, 0x08, 0x00], [layer(.aacHE, 44_100, 2, 2048), layer(.aac, 22_050, 2, 1024)]),
    // After the core.
    (
      [0x13, 0x90, 0x56, 0xE5, 0xA0],
      [layer(.aacHE, 44_100, 2, 2048), layer(.aac, 22_050, 2, 1024)]
    ),
    (
      [0xEB, 0x8A, 0x08, 0x00],
      [
        layer(.aacHEv2, 44_100, 2, 2048), layer(.aacHE, 44_100, 1, 2048),
        layer(.aac, 22_050, 1, 1024),
      ]
    ),
    (
      [0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80],
      [
        layer(.aacHEv2, 44_100, 2, 2048), layer(.aacHE, 44_100, 1, 2048),
        layer(.aac, 22_050, 1, 1024),
      ]
    ),
    // Stated as absent.
    (
      [0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x00],
      [layer(.aacHE, 44_100, 1, 2048), layer(.aac, 22_050, 1, 1024)]
    ),
    ([0x13, 0x88, 0x56, 0xE5, 0x00], [layer(.aac, 22_050, 1, 1024)]),
    // A rate without an index, 960 frames, 5.1, the elements of the channels listed.
    ([0x17, 0x80, 0x59, 0xD8, 0x10], [layer(.aac, 46_000, 2, 1024)]),
    ([0x11, 0x94], [layer(.aac, 48_000, 2, 960)]),
    (
      [0x2B, 0x31, 0x88, 0x00],
      [layer(.aacHE, 48_000, 6, 2048), layer(.aac, 24_000, 6, 1024)]
    ),
    (
      [0x2B, 0x97, 0x80, 0x56, 0x22, 0x08, 0x00],
      [layer(.aacHE, 44_100, 2, 2048), layer(.aac, 22_050, 2, 1024)]
    ),
  ]

  @Test(arguments: configurations)
  func `a configuration has these layers`(bytes: [UInt8], layers: [SoundLayer]) throws {
    #expect(try #require(AudioSpecificConfig(bytes)).layers == layers)
  }

  @Test func `the signalling of extensions is detected`() throws {
    #expect(AudioSpecificConfig([0x12, 0x10])?.signalling == AudioSpecificConfig.Signalling.none)
    #expect(AudioSpecificConfig([0x2B, 0x92, 0x08, 0x00])?.signalling == .explicit)
    #expect(AudioSpecificConfig([0x13, 0x90, 0x56, 0xE5, 0xA0])?.signalling == .backwardCompatible)
    #expect(AudioSpecificConfig([0x13, 0x88, 0x56, 0xE5, 0x00])?.bandReplication == .absent)
    #expect(AudioSpecificConfig([0x12, 0x10])?.bandReplication == .unsaid)
  }

  @Test(arguments: [[], [0x12], [0x2B, 0x92], [0x16, 0x90], [0xFF]])
  func `a truncated configuration, or one without a rate, is refused`(bytes: [UInt8]) {
    #expect(AudioSpecificConfig(bytes) == nil)
  }

  @Test func `any bytes are read or refused`() {
    var state: UInt32 = 1
    for _ in 0..<20_000 {
      let bytes = (0..<Int(state >> 28)).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(state >> 24)
      }
      state = state &* 1_664_525 &+ 1_013_904_223
      guard let config = AudioSpecificConfig(bytes) else { continue }
      #expect(config.hertz > 0 && !config.layers.isEmpty)
    }
  }

  private static func layer(
    _ codec: SoundCodec, _ hertz: Int, _ channelCount: Int, _ frames: Int
  ) -> SoundLayer {
    SoundLayer(codec: codec, hertz: hertz, channelCount: channelCount, framesPerPacket: frames)
  }
}
