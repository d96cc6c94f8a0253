// SPDX-License-Identifier: Apache-2.0

/// One channel of a wave as 16-bit frames, read from the file when they are needed.
struct DLSFrames {
  let file: FontBytes
  let wave: DLSWave
  /// 0 or 1.
  let channel: Int

  /// The frames, little-endian.
  ///
  /// A mono wave of 16 bits is a part of the file. For wider samples the upper 16 bits are used.
  var bytes: FontBytes {
    let data = wave.data.lowerBound..<wave.data.lowerBound + wave.frameCount * wave.frameSize
    if wave.frameSize == 2, wave.bits == 16 { return file.part(data) }
    return unsafe FontBytes(count: wave.frameCount * 2) { target, offset in
      do throws(SoundFontError) {
        let bytes = try converted(offset..<offset + target.count)
        unsafe target.copyBytes(from: bytes)
        return bytes.count
      } catch {
        return 0
      }
    }
  }

  private func converted(_ range: Range<Int>) throws(SoundFontError) -> [UInt8] {
    let frames = range.lowerBound / 2..<(range.upperBound + 1) / 2
    let start = wave.data.lowerBound
    let stored = try file.bytes(
      start + frames.lowerBound * wave.frameSize..<start + frames.upperBound * wave.frameSize)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frames.count * 2)
    let size = wave.bits / 8
    for frame in 0..<frames.count {
      let place = frame * wave.frameSize + channel * size
      let value = size == 1 ? expanded(stored[place]) : Self.word(stored, place + size - 2)
      bytes.append(UInt8(truncatingIfNeeded: value))
      bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }
    return Array(bytes.dropFirst(range.lowerBound % 2).prefix(range.count))
  }
  private static func word(_ bytes: [UInt8], _ place: Int) -> Int16 {
    Int16(truncatingIfNeeded: Int(bytes[place]) | Int(bytes[place + 1]) << 8)
  }

  /// An 8-bit sample converted to 16 bits.
  private func expanded(_ byte: UInt8) -> Int16 {
    switch wave.format {
    case DLSWave.aLaw: Self.expandedALaw(Int16(byte ^ 0x55))
    case DLSWave.muLaw: Self.expandedMuLaw(Int16(~byte))
    default: (Int16(byte) - 128) << 8
    }
  }

  /// Source: ITU-T G.711, table 1; `code` has its even bits inverted.
  private static func expandedALaw(_ code: Int16) -> Int16 {
    let segment = code >> 4 & 7
    let step = (code & 0xF) << 4 + 8
    let size = segment == 0 ? step : (step + 0x100) << (segment - 1)
    return code & 0x80 != 0 ? size : -size
  }

  /// Source: ITU-T G.711, table 2; `code` has all its bits inverted.
  private static func expandedMuLaw(_ code: Int16) -> Int16 {
    let size = ((code & 0xF) << 3 + 0x84) << (code >> 4 & 7) - 0x84
    return code & 0x80 != 0 ? -size : size
  }
}
