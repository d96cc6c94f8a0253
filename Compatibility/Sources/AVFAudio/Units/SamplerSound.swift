// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolbox
internal import Foundation
internal import MIDIMessages
internal import MusicalTime
internal import SoundFontFiles
internal import SoundFontInstruments

/// The sound of a sampler: a soundfont that was read, and the preset that all channels play.
struct SamplerSound {
  let fonts: SharedFonts
  private let preset: Preset

  private struct Preset {
    let isDrums: Bool
    let bank: UInt8
    let program: UInt8

    /// The number of the bank in a soundfont.
    var number: Int { isDrums ? 128 : Int(bank) }
  }

  /// Opens a preset of a soundfont.
  ///
  /// - Throws: An `NSError`.
  init(font url: URL, program: UInt8, bankMSB: UInt8, bankLSB: UInt8, call: String) throws {
    let isDrums = bankMSB == UInt8(kAUSampler_DefaultPercussionBankMSB)
    // With the upper bytes of drums and of all else, the lower byte is the bank.
    let bank = isDrums ? 0 : bankMSB < 0x78 ? bankMSB : bankLSB & 0x7F
    try self.init(
      try Self.font(url, call), Preset(isDrums: isDrums, bank: bank, program: program & 0x7F), call)
  }

  /// Opens the first preset of a soundfont, or a sound file.
  ///
  /// - Throws: An `NSError`.
  init(file url: URL, call: String) throws {
    guard SoundFont.isSoundFont(path: url.path) else {
      try self.init(audioFiles: [url], call: call)
      return
    }
    let font = try Self.font(url, call)
    let first = font.tables.presets.min { ($0.bank, $0.program) < ($1.bank, $1.program) }
    guard let first else { throw Self.missing(url.path, call) }
    let isDrums = first.bank == 128
    try self.init(
      font,
      Preset(
        isDrums: isDrums, bank: isDrums ? 0 : UInt8(first.bank & 127),
        program: UInt8(first.program & 127)),
      call)
  }

  /// Opens sound files.
  ///
  /// - Throws: An `NSError`.
  init(audioFiles urls: [URL], call: String) throws {
    let recordings = try urls.enumerated().map { place, url in
      let key = urls.count == 1 ? nil : UInt8(min(127, 60 + place))
      return try Self.recording(url, key: key, call)
    }
    let font: SoundFont
    do {
      font = try SoundFont(name: "sound files", recordings: recordings)
    } catch {
      throw Self.error(error, call)
    }
    try self.init(font, Preset(isDrums: false, bank: 0, program: 0), call)
  }

  private init(_ font: SoundFont, _ preset: Preset, _ call: String) throws {
    let isThere = font.tables.presets.contains {
      $0.bank == preset.number && $0.program == Int(preset.program)
    }
    guard isThere else { throw Self.missing(font.path, call) }
    self.preset = preset
    do {
      fonts = try SharedFonts(
        [SoundFontLayer(font)],
        for: InstrumentNodePlayer.configuration(.hertz48000, hasEffects: false))
    } catch {
      throw Self.error(error, call)
    }
  }

  /// The SysEx messages of XG that make every part one of drums, or not; without F0 and F7.
  var parts: [[UInt8]] {
    (UInt8(0)..<16).map { [0x43, 0x10, 0x4C, 8, $0, 7, preset.isDrums ? 1 : 0] }
  }

  /// The messages that select the preset on every channel.
  var programs: [Message] {
    (UInt8(0)..<16).flatMap { channel in
      [
        Message(status: 0xB0 | channel, data1: 0, data2: preset.bank),
        Message(status: 0xC0 | channel, data1: preset.program),
      ]
    }
  }

  // MARK: Files

  private static func font(_ url: URL, _ call: String) throws -> SoundFont {
    do {
      return try SoundFont(path: url.path)
    } catch {
      throw Self.error(error, call)
    }
  }

  private static func recording(_ url: URL, key: UInt8?, _ call: String) throws -> SoundRecording {
    do {
      let reader = try SoundFileReader(path: url.path)
      if reader.channelCount <= 2 { return SoundRecording(reader, key: key) }
      return SoundRecording(
        try SoundFileReader(path: url.path, client: ClientFormat(channelCount: 2)), key: key)
    } catch {
      var code = kAudioUnitErr_InvalidFile
      if case .cannotOpen(_, ENOENT) = error { code = kAudio_FileNotFoundError }
      throw AVFAudioError.error(code, call: call, reason: "\(error)")
    }
  }

  private static func missing(_ path: String, _ call: String) -> NSError {
    AVFAudioError.error(
      kAudioUnitErr_InvalidPropertyValue, call: call, reason: "\(path): the preset is missing")
  }

  private static func error(_ error: InstrumentError, _ call: String) -> NSError {
    var code = kAudioUnitErr_InvalidFile
    if case .cannotOpen(_, ENOENT) = error { code = kAudio_FileNotFoundError }
    return AVFAudioError.error(code, call: call, reason: "\(error)")
  }
}

extension SoundRecording {
  /// More frames than this are not read: 25 minutes at 44,100 Hz.
  private static let limit = 1 << 26

  /// Reads a file of one or two channels.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - key: The key of a file that does not state its keys; nil for all keys.
  fileprivate init(_ reader: SoundFileReader, key: UInt8?) {
    let count = reader.client.channelCount ?? reader.channelCount
    var samples: [Float] = []
    while samples.count < Self.limit * count {
      let part = reader.read(frameCount: 65_536)
      if part.isEmpty { break }
      samples += part
    }
    let name = URL(fileURLWithPath: reader.path).deletingPathExtension().lastPathComponent
    self.init(name: name, samples: samples, channelCount: count, rate: reader.rate)
    guard let stated = reader.metadata.instrument else {
      if let key { (self.key, keys) = (key, key...key) }
      return
    }
    (self.key, cents) = (stated.baseKey, Int(stated.detune))
    (keys, velocities) = (stated.keys, stated.velocities)
    if let loop = stated.loops.first {
      self.loop = Int(clamping: loop.frames.lowerBound)..<Int(clamping: loop.frames.upperBound)
    }
  }
}
