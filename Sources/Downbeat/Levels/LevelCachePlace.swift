// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import SoundFontInstruments
internal import WholeFiles

/// The file of a `LevelCache` for one choice of fonts.
///
/// Its lines of text are the format, the fonts and settings, and then one line for each sound:
/// bank, program, key and the numbers of its profile.
struct LevelCachePlace {
  private typealias Sound = SoundFontLevels.Sound

  /// The version increases when voices become louder or softer.
  private static let format = "downbeat levels 2"
  /// The maximum number of bytes to read: more than all sounds of the largest font need.
  private static let limit = 1 << 22

  private let file: PrivateFile
  /// The fonts and settings that the levels belong to, in one line.
  private let identity: String

  /// The file for the fonts of some settings; nil if a font is missing.
  init?(_ settings: SessionSettings, in base: String) {
    var names = "\(settings.hasReverb) \(settings.hasChorus)"
    if let bank = settings.embeddedBank {
      names += " embedded \(bank.bankOffset) \(bank.font.byteCount) \(bank.digest)"
    }
    var states = names
    for font in settings.soundFonts {
      let real = FolderListing.realPath(of: font.path)
      var status = stat()
      guard real.withSystemPath({ unsafe stat($0, &status) }) == 0, !real.utf8.contains(0x0A)
      else { return nil }
      let name = " \(font.bankOffset) \(font.gain) \(real)"
      names += name
      let time = status.st_mtim
      states += " \(status.st_dev) \(status.st_ino) \(status.st_size)"
      states += " \(time.tv_sec).\(time.tv_nsec)" + name
    }
    let name = "levels-\(String(Self.hash(names), radix: 16))"
    file = PrivateFile(name, in: base, limit: Self.limit)
    identity = states
  }

  /// Reads the levels; empty if the file is missing, damaged or belongs to other fonts.
  func read() -> [SoundFontLevels.Sound: LevelProfile] {
    guard let bytes = file.read(), let text = String(validating: bytes, as: UTF8.self) else {
      return [:]
    }
    let lines = text.split(separator: "\n")
    guard lines.count > 1, lines[0] == Self.format, lines[1] == identity else { return [:] }
    var profiles: [SoundFontLevels.Sound: LevelProfile] = [:]
    for line in lines.dropFirst(2) {
      guard let (sound, profile) = Self.entry(line) else { return [:] }
      profiles[sound] = profile
    }
    return profiles
  }

  /// Replaces the stored levels; if writing fails, the file is not changed.
  func write(_ profiles: [SoundFontLevels.Sound: LevelProfile]) {
    var text = "\(Self.format)\n\(identity)\n"
    for (sound, profile) in profiles.sorted(by: { $0.key < $1.key }) {
      let numbers = [Int(sound.bank), Int(sound.program), Int(sound.key)]
      text += (numbers + profile.held + profile.released).map(String.init).joined(separator: " ")
      text += "\n"
    }
    do {
      try file.write(Array(text.utf8))
    } catch {
      // Then the levels are measured again the next time.
    }
  }

  private static func entry(_ line: Substring) -> (Sound, LevelProfile)? {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    let numbers = words.compactMap { Int($0) }
    guard numbers.count == words.count, numbers.count > 3 + LevelProfile.heldCount - 1,
      let bank = UInt8(exactly: numbers[0]), bank <= Sound.drumBank,
      let program = UInt8(exactly: numbers[1]), program < 128,
      let key = UInt8(exactly: numbers[2]), key < 128
    else { return nil }
    let isDrum = bank == Sound.drumBank
    let sound =
      isDrum ? Sound(drum: key, kit: program) : Sound(near: key, program: program, bank: bank)
    let held = Array(numbers[3..<3 + LevelProfile.heldCount])
    let released = Array(numbers[(3 + LevelProfile.heldCount)...])
    guard sound.key == key, released.isEmpty == isDrum,
      let profile = LevelProfile(held: held, released: released)
    else { return nil }
    return (sound, profile)
  }

  /// 64-bit FNV-1a; two selections with the same hash overwrite each other's file.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
