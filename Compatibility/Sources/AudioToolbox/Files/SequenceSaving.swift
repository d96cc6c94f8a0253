// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MusicSequences
internal import MusicalTime

/// A sequence as the bytes of a Standard MIDI File, format 1, the tempo track first.
///
/// What no file can say is left out: user events, parameters, presets, notes for units.
struct SequenceSaving {
  private let sequence: SequenceBox
  private let division: Division
  private let ticks: TrackTicks

  /// The resolution is in ticks a quarter note above 0, an SMPTE division below, 0 for that of the
  /// tempo track, or milliseconds where beats are seconds.
  ///
  /// - Throws: `InvalidSequenceType` for a sequence of samples; `ParamError` for a division that there
  ///   is not.
  init(_ sequence: SequenceBox, resolution: Int16) throws(StatusError) {
    self.sequence = sequence
    let tempoTrack = try sequence.tempoTrack.content()
    var bits = resolution
    switch sequence.type {
    case .samples: throw StatusError(kAudioToolboxErr_InvalidSequenceType)
    case .seconds:
      if bits == 0 { bits = MusicSequenceSetSMPTEResolution(25, 40) }
    default:
      if bits == 0 { bits = tempoTrack.resolution }
    }
    do {
      division = try Division(smfBits: UInt16(bitPattern: bits))
    } catch {
      throw .parameter
    }
    if let rate = division.ticksPerSecond {
      ticks = TrackTicks(perSecond: rate.approximation, of: try sequence.beatMap())
    } else {
      ticks = TrackTicks(perBeat: Double(bits))
    }
  }

  /// The bytes.
  ///
  /// - Throws: `ParamError` for what a file cannot hold: more than 65 534 tracks, four gigabytes; and
  ///   for what is longer than 2⁴⁰ ticks, which would be bridged by thousands of empty texts.
  func bytes() throws(StatusError) -> [UInt8] {
    var result = MusicSequences.MusicSequence(division: division, format: .simultaneous)
    let tempoTrack = ticks.track(try sequence.tempoTrack.content())
    var first = MusicSequences.MusicTrack()
    first.explicitLength = tempoTrack.explicitLength
    do {
      for event in tempoTrack.events {
        if event.content.isConductor {
          try result.tempoTrack.insert(event)
        } else {
          try first.insert(event)
        }
      }
      result.tracks = [first]
      for track in sequence.tracks { result.tracks.append(ticks.track(try track.content())) }
      guard result.length.value <= 1 << 40 else { throw StatusError.parameter }
      return try SMFWriter().write(result)
    } catch {
      throw .parameter
    }
  }
}

extension TrackEvent.Content {
  /// Whether a file's reading puts it into the tempo track: tempo, SMPTE offset, time signature.
  fileprivate var isConductor: Bool {
    guard case .meta(let meta) = self else { return false }
    switch meta.type {
    case 0x51: return meta.bytes.count == 3
    case 0x54: return meta.bytes.count == 5
    case 0x58: return meta.bytes.count == 4
    default: return false
    }
  }
}
