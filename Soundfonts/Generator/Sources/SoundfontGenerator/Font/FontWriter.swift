// SPDX-License-Identifier: Apache-2.0

/// Writes samples and presets as a SoundFont 2.04 file.
struct FontWriter {
  let samples: [Sample]
  let presets: [Preset]

  private static let guardFrames = 46
  /// Frames after the loop's end that interpolation may read; they repeat the loop.
  private static let loopTail = 8

  func file() -> [UInt8] {
    let (frames, headers) = sampleData()
    var form = ByteBuffer()
    form.append(list: "INFO", information())
    var data = ByteBuffer()
    data.append(chunk: "smpl", frames)
    form.append(list: "sdta", data.bytes)
    form.append(list: "pdta", hydra(headers))
    var riff = ByteBuffer()
    riff.append(chunk: "RIFF", Array("sfbk".utf8) + form.bytes)
    return riff.bytes
  }

  private func information() -> [UInt8] {
    var info = ByteBuffer()
    var version = ByteBuffer()
    version.append(UInt16(2))
    version.append(UInt16(4))
    info.append(chunk: "ifil", version.bytes)
    info.append(text: "isng", "EMU8000")
    info.append(text: "INAM", "Downbeat")
    info.append(text: "IENG", "The Downbeat project")
    info.append(text: "IPRD", "Downbeat")
    info.append(
      text: "ICOP",
      "CC0-1.0: dedicated to the public domain, https://creativecommons.org/publicdomain/zero/1.0/")
    info.append(
      text: "ICMT",
      "A General MIDI instrument computed from physical and spectral models; no recordings were "
        + "used. Made by Soundfonts/Generator of Downbeat.")
    info.append(text: "ISFT", "downbeat-soundfont")
    return info.bytes
  }

  private func sampleData() -> (frames: [UInt8], headers: [UInt8]) {
    var data = ByteBuffer()
    var headers = ByteBuffer()
    var position = 0
    for sample in samples {
      let frames = Self.frames(sample.sound)
      for value in frames { data.append(value) }
      for _ in 0..<Self.guardFrames { data.append(Int16(0)) }
      let looped = sample.sound.loopLength > 0
      let loopStart = looped ? position + sample.sound.loopStart : position
      let loopEnd = looped ? loopStart + sample.sound.loopLength : position + frames.count
      headers.append(name: sample.name)
      for value in [position, position + frames.count, loopStart, loopEnd] {
        headers.append(UInt32(value))
      }
      let scale = 1 << sample.octaves
      headers.append(UInt32((sample.sound.storedRate + scale / 2) / scale))
      headers.append(UInt8(sample.rootKey - 12 * sample.octaves))
      headers.append(UInt8(0))
      headers.append(UInt16(0))
      headers.append(UInt16(1))
      position += frames.count + Self.guardFrames
    }
    headers.append(name: "EOS")
    for _ in 0..<5 { headers.append(UInt32(0)) }
    for _ in 0..<3 { headers.append(UInt16(0)) }
    return (data.bytes, headers.bytes)
  }

  private static func frames(_ sound: Sound) -> [Int16] {
    var wave = sound.wave
    if sound.loopLength > 0 {
      for index in 0..<loopTail { wave.append(wave[sound.loopStart + index % sound.loopLength]) }
    }
    return wave.map { value in
      Int16(max(-32767, min(32767, (value * 32767).rounded(.toNearestOrAwayFromZero))))
    }
  }

  private func hydra(_ sampleHeaders: [UInt8]) -> [UInt8] {
    var presetZones = ZoneTable()
    var instrumentZones = ZoneTable()
    var presetHeaders = ByteBuffer()
    var instrumentHeaders = ByteBuffer()
    var instruments = 0
    for preset in presets.sorted(by: { ($0.bank, $0.program) < ($1.bank, $1.program) }) {
      presetHeaders.append(name: preset.name)
      presetHeaders.append(UInt16(preset.program))
      presetHeaders.append(UInt16(preset.bank))
      presetHeaders.append(UInt16(presetZones.count))
      for _ in 0..<3 { presetHeaders.append(UInt32(0)) }
      for (index, layer) in preset.layers.enumerated() {
        instrumentHeaders.append(name: "\(preset.name) \(index + 1)")
        instrumentHeaders.append(UInt16(instrumentZones.count))
        instrumentZones.append(layer, samples)
        presetZones.append(Settings().with(.instrument, instruments))
        instruments += 1
      }
    }
    presetHeaders.append(name: "EOP")
    for value in [0, 0, presetZones.count] { presetHeaders.append(UInt16(value)) }
    for _ in 0..<3 { presetHeaders.append(UInt32(0)) }
    instrumentHeaders.append(name: "EOI")
    instrumentHeaders.append(UInt16(instrumentZones.count))

    var result = ByteBuffer()
    result.append(chunk: "phdr", presetHeaders.bytes)
    presetZones.append(to: &result, prefix: "p")
    result.append(chunk: "inst", instrumentHeaders.bytes)
    instrumentZones.append(to: &result, prefix: "i")
    result.append(chunk: "shdr", sampleHeaders)
    return result.bytes
  }
}
