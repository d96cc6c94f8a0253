// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MusicSequences
internal import MusicalTime

/// Converts a sequence to the bytes of a Standard MIDI File of format 1 with the tempo track first.
///
/// Events that a file cannot contain are left out: user events, parameters, presets and notes for
/// units.
struct SequenceSaving {
  private let sequence: SequenceBox
  private let division: Division
  private let ticks: TrackTicks

  /// Takes the resolution in ticks per quarter note if above 0, or an SMPTE division if below 0.
  ///
  /// 0 chooses the resolution of the tempo track, or milliseconds for a sequence in seconds.
  ///
  /// - Throws: `InvalidSequenceType` for a sequence in samples; `ParamError` for an invalid
  ///   division.
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

  /// Returns the bytes of the file.
  ///
  /// - Throws: `ParamError` if the file would have more than 65,534 tracks, 4 GB or 2⁴⁰ ticks. A
  ///   longer file would need thousands of empty text events.
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
  /// True if a reader moves the event to the tempo track: tempo, SMPTE offset and time signature.
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
