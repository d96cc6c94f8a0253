// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CommandKit
internal import Downbeat
internal import SoundTools
internal import SystemPackages

/// The checks on soundfonts, and on the libraries that play them.
extension Machine {
  var soundFontFindings: [Finding] {
    let steps = soundFonts.steps()
    return soundFonts.configurationTroubles.map(Self.trouble)
      + steps.filter { $0.verdict != .chosen && $0.isNamed }.compactMap(Self.useless)
      + [chosen(steps), installed]
  }

  private static func trouble(_ error: ConfigurationError) -> Finding {
    .warning("configuration", "\(error)", why: "This file is ignored.")
  }

  private static func useless(_ step: SoundFontDiscovery.Step) -> Finding? {
    guard step.verdict != .passedOver else { return nil }
    return .warning(
      "named font", "\(step.path): \(step.verdict.rawValue) (\(step.reason))",
      why: "This soundfont is named, but not used.",
      fixes: ["downbeat soundfont list"])
  }

  private func chosen(_ steps: [SoundFontDiscovery.Step]) -> Finding {
    let why = "A soundfont provides the sounds for the notes of a song."
    let chosen = steps.filter { $0.verdict == .chosen }
    if let first = chosen.first {
      let names = chosen.map { $0.path + $0.settings }.joined(separator: ", ")
      return .ok("plays with", "\(names) (\(first.reason))", why: why)
    }
    return .problem(
      .noSoundFont, "plays with", "no soundfont found", why: why,
      fixes: [installing(.soundFont)])
  }

  private var installed: Finding {
    let names = soundFonts.fonts().map(SoundFontDiscovery.name)
    let some = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    return .ok(
      "installed", names.isEmpty ? "none" : "\(names.count): \(some)",
      why: "Choose one of them with --soundfont NAME.")
  }

  var libraryFindings: [Finding] {
    libraries.map { name, version in
      let use = Self.uses[name]
      let why = use?.why ?? "Needed for sound and MIDI devices."
      if name == SoundLibrary.ffmpeg.rawValue, let finding = codecFinding(version, why) {
        return finding
      }
      if let version { return .ok(name, version, why: why) }
      return .warning(
        name, "not installed", why: why, fixes: use.map { [installing($0.package)] } ?? [])
    }
  }

  /// Returns a warning if FFmpeg is not supported or lacks codecs; nil if it is complete or
  /// missing.
  private func codecFinding(_ version: String?, _ why: String) -> Finding? {
    if let version, !missingCodecs.isEmpty {
      let missing = missingCodecs.joined(separator: ", ")
      return .warning(SoundLibrary.ffmpeg.rawValue, "\(version), without \(missing)", why: why)
    }
    guard version == nil, let unsupportedFFmpeg else { return nil }
    return .warning(
      SoundLibrary.ffmpeg.rawValue,
      "\(unsupportedFFmpeg): not supported (supported: \(CodecCatalog.supportedReleases))",
      why: why, fixes: [installing(.ffmpeg)])
  }

  private static let uses: [String: (package: SystemPackage, why: String)] = [
    "libfluidsynth": (
      .fluidsynth,
      "Needed for the reverb and chorus of soundfonts, and for --engine fluidsynth."
    ),
    "libsndfile": (.sndfile, "Needed to read and write sound files."),
    "FFmpeg": (.ffmpeg, "Needed for AAC, ALAC in M4A and formats that libsndfile cannot read."),
    "libsoxr": (.soxr, "Needed to convert sample rates."),
    "libebur128": (.ebur128, "Needed to measure loudness, such as -16LUFS."),
    "libcurl": (.curl, "Needed to play sound from web addresses."),
  ]
}
