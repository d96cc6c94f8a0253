// SPDX-License-Identifier: Apache-2.0
package import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MIDIMessages
package import MusicSequences
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import SongPictures

/// The picture of a song, or a page that contains the picture.
struct PlottedSong {
  private let song: Song
  private let options: Plot
  private let sequence: MusicSequence
  private let report: InfoReport
  private let survey: SongSurvey
  /// The part to draw, in seconds.
  private let part: ClosedRange<Double>
  private let held: HeldUnits

  init(_ song: Song, _ options: Plot, held: HeldUnits) throws {
    (self.song, self.options, self.held) = (song, options, held)
    sequence = try options.flags.sequence(of: song)
    report = try InfoReport(song, keys: options.octaves.keys)
    let decoder = report.decoder
    do {
      survey = try SongSurvey(sequence) { Printable.dotted(decoder.text($0.bytes)) }
    } catch {
      throw Failure(.badData, "\(song.name): \(error)")
    }
    let from = try options.flags.from?.seconds(in: sequence) ?? 0
    let to = try options.flags.to?.seconds(in: sequence) ?? survey.length
    do {
      _ = try PartSpan(
        from: options.flags.from, to: options.flags.to, mayExtend: true, of: sequence)
    } catch let failure as Failure {
      throw Failure(failure.exitStatus, "\(song.name): \(failure)", options: failure.options)
    }
    part = min(from, to)...to
  }

  func picture(isHeaded: Bool) throws -> SongPicture {
    var picture = SongPicture(part: part, width: options.width)
    picture.song = survey
    picture.channels = options.flags.channels
    if options.flags.noDrums {
      let drums = sequence.portDrums(in: options.sound.banks.bankMode)
      for port in 0..<TrackPorts.limit { picture.channels[port] &= ~drums[port].all }
    }
    picture.middleC = options.octaves.middleC
    picture.height = options.height
    if !options.reading.quiet, !picture.hasNotes {
      Terminal.report("\(song.name): no notes to draw (the picture is empty)")
    }
    if isHeaded { (picture.title, picture.subtitle) = (title, subtitle) }
    if options.audio {
      picture.sound = try RenderedSound(song, options, held: held).survey(of: sequence, part)
    }
    return picture
  }

  /// The title of the song, or the name of its file.
  private var title: String {
    let isTitled = survey.title?.contains { !$0.isWhitespace } == true
    return isTitled ? survey.title ?? "" : Plot.heading(song.name)
  }

  private var subtitle: String {
    let summary = report.summary
    let kept = ["length", "key"]
    let facts = report.facts.filter { kept.contains($0.label) }.map { fact in
      // The text in brackets, and all but the first of several values, are only for the full
      // report.
      let first = fact.words.prefix { $0 != "(" && $0 != "," }
      return String(first.last == " " ? first.dropLast() : first)
    }
    let meters = summary.meters.isEmpty ? ["4/4"] : summary.meters.prefix(3).map { "\($0)" }
    let tempi = [summary.tempi.slowest, summary.tempi.fastest].map {
      SVGWriter.number($0.beatsPerMinute.approximation)
    }
    let tempo = tempi[0] == tempi[1] ? tempi[0] : tempi.joined(separator: "–")
    let parts =
      (title == Plot.heading(song.name) ? [] : [Plot.heading(song.name)]) + facts
      + [meters.joined(separator: ", "), "\(tempo) beats per minute"]
      + [summary.noteOns.counted("note")]
    return parts.joined(separator: "  ·  ")
  }
}

extension PlottedSong {
  /// Returns the HTML page with a picture.
  func page(_ picture: Picture) -> ReportPage {
    var page = ReportPage(title: title, picture: picture, theme: options.theme)
    page.facts = [("file", song.name)] + report.facts
    page.tables = [channels, tracks, markers, repairs]
    return page
  }

  private var channels: ReportPage.Table {
    let keys = options.octaves.keys
    let rows = report.summary.channels.map { use in
      let range = use.keys.map { range in
        [range.lowerBound, range.upperBound].map { keys.name($0, on: use.namesake) }
          .joined(separator: " – ")
      }
      let programs = use.programs.map { ProgramWords.text($0, on: use.namesake) }
      return [
        report.summary.label(use), programs.joined(separator: ", "), "\(use.notes)", range ?? "",
      ]
    }
    return ReportPage.Table("Channels", ["Channel", "Programs", "Notes", "Keys"], rows)
  }

  private var tracks: ReportPage.Table {
    let rows = report.trackNames.prefix(256).enumerated().map { index, name in
      let channels = report.summary.trackChannels[index].map { "\($0.number)" }
      return ["\(index + 1)", name ?? "", channels.joined(separator: ", ")]
    }
    return ReportPage.Table("Tracks", ["Track", "Name", "Channels with notes"], rows)
  }

  private var markers: ReportPage.Table {
    let rows = survey.markers.prefix(1000).map {
      [AxisSteps.clock($0.seconds, step: 0.01), $0.text]
    }
    return ReportPage.Table("Markers", ["Time", "Name"], rows)
  }

  private var repairs: ReportPage.Table {
    ReportPage.Table(
      "Repairs", ["Damage in the file"], song.defects.prefix(100).map { ["\($0)"] })
  }
}

extension SongTime {
  /// Returns the time in seconds from the start of a sequence, exact to the nanosecond.
  package func seconds(in sequence: MusicSequence) throws -> Double {
    Double(try nanoseconds(in: sequence)) / 1e9
  }
}
