// SPDX-License-Identifier: Apache-2.0

/// A soundfont of two kilobytes, built in memory, for tests that must not depend on an installed
/// one.
///
/// Program 0 is a cosine that starts at its maximum (441 Hz at key 69), program 1 the same an
/// octave higher, and the drum kit equals program 0. All loop endlessly and end within a
/// millisecond.
///
/// Source: SoundFont 2.04.
public enum TinySoundFont {
  /// The file's bytes.
  public static var bytes: [UInt8] {
    file(samples, sample(end: 10 * period, loop: 2 * period..<8 * period, type: 1))
  }

  /// The same as SF3, with an Ogg Vorbis stream as its sample, which loops within 800 frames.
  public static func compressed(_ stream: [UInt8]) -> [UInt8] {
    file(stream, sample(end: stream.count, loop: 2 * period..<8 * period, type: 0x11))
  }

  /// The same, and an octave higher in bank 127, in which GS has the timbres of an MT-32.
  public static var withTimbres: [UInt8] {
    file(
      samples, sample(end: 10 * period, loop: 2 * period..<8 * period, type: 1),
      [Preset(name: "Timbre", program: 0, bank: 127, instrument: 1)])
  }

  /// The same, with additional presets that sound an octave higher.
  ///
  /// - Parameter presets: The presets.
  /// - Returns: The bytes of the file.
  public static func with(_ presets: [Extra]) -> [UInt8] {
    file(
      samples, sample(end: 10 * period, loop: 2 * period..<8 * period, type: 1),
      presets.map { preset in
        Preset(
          name: "\(preset.bank):\(preset.program)", program: preset.program, bank: preset.bank,
          instrument: 1, keys: preset.keys)
      })
  }

  /// A preset that sounds an octave higher.
  public struct Extra {
    let bank: UInt16
    let program: UInt16
    let keys: ClosedRange<UInt8>

    /// Creates a preset.
    ///
    /// - Parameters:
    ///   - bank: The bank, 0…128.
    ///   - program: The program, 0…127.
    ///   - keys: The range of keys that sound.
    public init(_ bank: UInt16, _ program: UInt16, keys: ClosedRange<UInt8> = 0...127) {
      (self.bank, self.program, self.keys) = (bank, program, keys)
    }
  }

  private struct Preset {
    let name: String
    let program: UInt16
    let bank: UInt16
    let instrument: UInt16
    var keys: ClosedRange<UInt8> = 0...127
  }

  private static func file(
    _ samples: [UInt8], _ sample: [UInt8], _ more: [Preset] = []
  ) -> [UInt8] {
    let info =
      chunk("ifil", word(2) + word(1)) + chunk("isng", text("EMU8000", 8))
      + chunk("INAM", text("Tiny", 6))
    return chunk(
      "RIFF",
      Array("sfbk".utf8) + list("INFO", info) + list("sdta", chunk("smpl", samples))
        + list("pdta", presets(more) + instruments + headers(sample)))
  }

  private static let period = 100

  /// Ten periods, and the 46 zeros that must follow a sample.
  private static var samples: [UInt8] {
    var bytes: [UInt8] = []
    // A cosine from its recurrence; 0.99802672842827 is cos(2π/100).
    var (before, now) = (0.99802672842827, 1.0)
    for _ in 0..<10 * period {
      bytes += word(UInt16(bitPattern: Int16((now * 16000).rounded())))
      (before, now) = (now, 2 * 0.99802672842827 * now - before)
    }
    return bytes + [UInt8](repeating: 0, count: 92)
  }

  private static func presets(_ more: [Preset]) -> [UInt8] {
    let all =
      [
        Preset(name: "Cosine", program: 0, bank: 0, instrument: 0),
        Preset(name: "Octave", program: 1, bank: 0, instrument: 1),
        Preset(name: "Kit", program: 0, bank: 128, instrument: 0),
      ] + more
    let end = Preset(name: "EOP", program: 0, bank: 0, instrument: 0)
    var phdr: [UInt8] = []
    var pbag: [UInt8] = []
    var pgen: [UInt8] = []
    for (index, preset) in (all + [end]).enumerated() {
      phdr += text(preset.name, 20) + word(preset.program) + word(preset.bank)
      phdr += word(UInt16(index)) + [UInt8](repeating: 0, count: 12)
      pbag += word(UInt16(pgen.count / 4)) + word(0)
      guard index < all.count else { break }
      let keys = UInt16(preset.keys.lowerBound) | UInt16(preset.keys.upperBound) << 8
      if preset.keys != 0...127 { pgen += generator(43, keys) }
      pgen += generator(41, preset.instrument)
    }
    pgen += generator(0, 0)
    return chunk("phdr", phdr) + chunk("pbag", pbag) + noModulators("pmod") + chunk("pgen", pgen)
  }

  private static var instruments: [UInt8] {
    let inst =
      text("Cosine", 20) + word(0) + text("Octave", 20) + word(1) + text("EOI", 20) + word(2)
    let ibag = word(0) + word(0) + word(2) + word(0) + word(5) + word(0)
    let (mode, sample, coarseTune): (UInt16, UInt16, UInt16) = (54, 53, 51)
    let igen =
      generator(mode, 1) + generator(sample, 0) + generator(coarseTune, 12) + generator(mode, 1)
      + generator(sample, 0) + generator(0, 0)
    return chunk("inst", inst) + chunk("ibag", ibag) + noModulators("imod") + chunk("igen", igen)
  }

  private static func sample(end: Int, loop: Range<Int>, type: UInt16) -> [UInt8] {
    text("Cosine", 20) + long(0) + long(UInt32(end)) + long(UInt32(loop.lowerBound))
      + long(UInt32(loop.upperBound)) + long(44_100) + [69, 0] + word(0) + word(type)
  }

  private static func headers(_ sample: [UInt8]) -> [UInt8] {
    chunk("shdr", sample + text("EOS", 20) + [UInt8](repeating: 0, count: 26))
  }

  private static func noModulators(_ name: String) -> [UInt8] {
    chunk(name, [UInt8](repeating: 0, count: 10))
  }

  private static func generator(_ number: UInt16, _ amount: UInt16) -> [UInt8] {
    word(number) + word(amount)
  }

  private static func list(_ kind: String, _ body: [UInt8]) -> [UInt8] {
    chunk("LIST", Array(kind.utf8) + body)
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + long(UInt32(body.count)) + body + (body.count % 2 == 1 ? [0] : [])
  }

  private static func text(_ text: String, _ length: Int) -> [UInt8] {
    let bytes = Array(text.utf8)
    return bytes + [UInt8](repeating: 0, count: length - bytes.count)
  }

  private static func word(_ value: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  private static func long(_ value: UInt32) -> [UInt8] {
    word(UInt16(truncatingIfNeeded: value)) + word(UInt16(truncatingIfNeeded: value >> 16))
  }
}
