// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import MusicSequences
internal import PlayerControl

/// The device and the session that play a song, with the inputs that are mixed in; empty if only
/// ports are used.
struct SongSound {
  let output: OutputDevice?
  let settings: SessionSettings?
  let session: Session?
  let inputs: [MixedInput]

  /// Opens the device, loads the instruments and opens the inputs.
  ///
  /// - Parameters:
  ///   - options: The options of the command.
  ///   - settings: The settings of the synthesiser; nil if it is not used.
  ///   - part: The part of the song to play.
  ///   - song: The whole song.
  ///   - name: The name of the song, for messages.
  /// - Throws: The error of a track, a device, an instrument or an input.
  init(
    _ options: Play, _ settings: SessionSettings?, for part: PlaybackPart,
    of song: MusicSequence, named name: String
  ) throws {
    // Errors in the tracks are reported before a device is opened.
    let apart = try options.routes.tracks(of: song)
    let output = try settings.map { _ in
      try options.device.open(
        rate: options.sound.rate, apart: options.routes.apart(in: song))
    }
    let settings = try settings.map {
      try options.sound.settings($0, at: output?.rate ?? $0.rate, for: part.sequence)
    }
    if let settings {
      options.sound.tellEngine(of: settings, isVerbose: options.device.verbose)
    }
    let chained = try settings.map {
      try ChainedSong(part.sequence, $0, options.sound, isLive: true)
    }
    let session = try chained.map {
      try Session(
        $0.sequence, settings: $0.settings, pads: options.sound.pads(at: $0.settings.rate),
        instruments: $0.instruments, apart: apart, registry: $0.registry)
    }
    let inputs = try output.map { try options.inputs.open(beside: $0) } ?? []
    for input in inputs { try session?.addInput(input.unit, gain: input.gain) }
    options.reading.tell(MissingSounds(session, chained), of: name)
    (self.output, self.settings, self.session, self.inputs) = (output, settings, session, inputs)
  }

  /// Returns the dropouts and the omitted notes of the song.
  func trouble(_ options: Play) -> SoundTrouble {
    SoundTrouble(
      xruns: output?.xrunCount ?? 0, remedy: output?.remedy ?? "",
      refusedNotes: session?.refusedNoteCount ?? 0,
      shedVoices: session?.shedVoiceCount ?? 0, engine: options.sound.engine)
  }
}
