// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CommandKit
package import JSONText
internal import MusicalTime
internal import PlayerControl
package import SoundStreaming

/// The report of `sound info` on the sound at a web address.
package struct AddressReport {
  private let survey: AddressSurvey

  /// Creates the report.
  package init(_ survey: AddressSurvey) { self.survey = survey }

  private var layer: SoundLayer { survey.layers[0] }

  private var format: String {
    let container: String? =
      switch survey.kind {
      case .adts: "ADTS"
      case .mpegAudio: nil
      case .mp4: "MP4"
      case .ogg: "Ogg"
      case .flac: nil
      case .wave: "WAV"
      case .aiff: "AIFF"
      case .au: "AU"
      case .caf: "CAF"
      case .transport: "MPEG transport stream"
      }
    let name = container.map { "\($0), \(layer.codec)" } ?? "\(layer.codec)"
    return survey.isLive ? "\(name), live" : name
  }

  private var seconds: Ratio? {
    survey.frameCount.map { Ratio($0, over: Int64(max(1, layer.hertz))) }
  }

  /// The report for the user: one line for each fact.
  package var lines: [String] {
    let layout = ChannelLayout.usual(channelCount: layer.channelCount)
    var facts = [
      ("rate", "\(layer.hertz) Hz"), ("channels", "\(layer.channelCount), \(layout.name)"),
      ("length", lengthWords),
    ]
    if survey.layers.count > 1 {
      facts.append(("layers", survey.layers.map { "\($0)" }.joined(separator: "; ")))
    }
    if let bitrate = survey.bitrate {
      facts.append(("bitrate", "\(Ratio(Int64(bitrate), over: 1000).decimal(1)) kbit/s"))
    }
    for tag in SoundFileMetadata.Tag.allCases {
      if let text = survey.tags[tag] { facts.append((tag.rawValue, text)) }
    }
    return ["\(survey.name): \(format)"]
      + facts.map { label, words in
        "  \(label)" + String(repeating: " ", count: max(1, 13 - label.count)) + words
      }
  }

  private var lengthWords: String {
    guard let seconds, let frames = survey.frameCount else {
      return survey.isLive ? "endless" : "unknown"
    }
    return survey.isEstimated
      ? "about \(seconds.decimal(1)) s" : "\(seconds.decimal(6)) s (\(frames) frames)"
  }

  /// The report as JSON; `packets` and `gapless` are null, because not all packets were fetched.
  package var json: JSONValue {
    .object(soundMembers + describingMembers)
  }

  private var soundMembers: [(String, JSONValue)] {
    let roles = ChannelLayout.usual(channelCount: layer.channelCount).roles
    return [
      ("v", 1), ("type", "sound"), ("file", .path(survey.name)), ("format", .text(format)),
      ("container", .null), ("bits", .null), ("rate", .integer(layer.hertz)),
      ("channels", .integer(layer.channelCount)),
      ("layout", .array(roles.map { .text($0.rawValue) })),
      ("frames", survey.frameCount.map { .integer(Int($0)) } ?? .null),
      ("seconds", seconds.map { .decimal($0.decimal(9)) } ?? .null),
      ("layers", .array(survey.layers.map(SoundReport.layer))), ("packets", .null),
      ("bitrate", survey.bitrate.map { .integer($0) } ?? .null), ("gapless", .null),
    ]
  }

  private var describingMembers: [(String, JSONValue)] {
    let tags = SoundFileMetadata.Tag.allCases.compactMap { tag in
      survey.tags[tag].map { (tag.rawValue, JSONValue.text($0)) }
    }
    return [
      ("loudness", .null), ("shortfall", .null), ("tags", .object(tags)),
      ("markers", .array([])), ("instrument", .null), ("tempo", .null), ("broadcast", .null),
      ("regions", .array([])), ("strings", .object([])), ("peaks", .array([])),
      ("midiBytes", .null),
    ]
  }
}
