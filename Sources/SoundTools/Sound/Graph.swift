// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import AudioProcessing
package import CommandKit
package import CommandOptions
internal import Downbeat
internal import MusicSequences

/// The command `downbeat graph`, which draws the processing graph that a command would use.
package struct Graph: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "graph", abstract: "Draw the processing graph of play or render.",
    discussion: """
      `render` can split a song's channels among several instruments, so its graph depends on the \
      song and on the part that is rendered. Without --for, the graph of `play` is drawn; with \
      --sync offline, the graph of `render`.

      --graph loads a file of effects; `play`, `render` and other commands have this option, too. \
      The file is a JSON document (schema saved-graph) with units and connections, one inlet for \
      the input, and a head for the output, such as

        {"v": 1, "type": "saved-graph",
         "units": [
           {"id": "in", "kind": "inlet"},
           {"id": "hall", "kind": "reverb", "parameters": {"decay": 3.5}}],
         "connections": [{"from": "in", "to": "hall"}], "head": {"unit": "hall"}}

      The file can also contain "instrument", which replaces the soundfont; "tracks" with their \
      instruments, effects and sends; and "buses". These parts of the file have the same effect as \
      --instrument, --on, --bus and --send. --save writes these options to such a file, with the \
      state of plug-ins.

      The kinds of units are reverb, delay, compressor, limiter, equaliser, mixer, panner, \
      splitter, merger and others; the error for an unknown kind lists them all. For effects in \
      series, use --effect instead: --effect 'delay time=1/8.' (downbeat effects).

      EXAMPLES:
        downbeat graph song.mid
        downbeat graph song.mid --graph hall.json
        downbeat graph song.mid --for render --form dot | dot -Tsvg > graph.svg
        downbeat graph song.mid --sync offline --solo 1,2
        downbeat graph --json --no-reverb
        downbeat graph --effect 'reverb mix=1' --effect lv2:mda-leslie --save a.json
        downbeat graph song.mid --on 2=lv2:mda-epiano --on 2=chorus --save b.json
      """)

  /// The value of `--for`.
  enum Purpose: String, CaseIterable, ExpressibleByArgument {
    case play, render
  }

  /// The value of `--form`.
  package enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, dot, json
  }

  @Argument(
    help: ArgumentHelp("MIDI file. Default: an empty song.", valueName: "file"),
    completion: .songs)
  package var path: String?

  @Option(name: .customLong("for"), help: "Command whose graph is drawn: play or render.")
  var purpose: Purpose?

  @Option(help: "Output format: text (default), dot (Graphviz) or json.")
  package var form: Form?

  @Flag(help: "Same as --form json.")
  package var json = false

  @Option(
    help: ArgumentHelp(
      "Instead of drawing, save the instruments, effects (with the state of plug-ins), buses and"
        + " sends to a file that --graph can load.", valueName: "effects.json"),
    completion: .file(extensions: ["json"]))
  package var save: String?

  @Flag(help: "With --save, replace the file if it exists.")
  package var overwrite = false

  @OptionGroup(title: "Playback") package var flags: PlaybackFlags
  @OptionGroup package var sound: SoundOptions
  @OptionGroup package var reading: SongOptions

  package func validate() throws {
    guard save == nil || !sound.effects.isEmpty || !sound.chains.isEmpty else {
      throw ValidationError("--save: no effects to save (add --effect)")
    }
    guard !json || form == nil || form == .json else {
      throw ValidationError("--json: cannot be used with --form text or --form dot")
    }
    guard flags.master == nil || purpose != .render, !flags.isOffline || purpose != .play else {
      throw ValidationError(
        "--sync: does not fit --for: render is always offline, play never (change one of them)")
    }
  }

  package func run() throws {
    if let save { return try write(save) }
    var settings = try sound.settings()
    let pads = try sound.pads()
    let song = try path.map { try flags.sequence(of: reading.read($0)) } ?? MusicSequence()
    settings.effects = try sound.effects(of: settings, for: song)
    let part = try PlaybackPart(song, named: path ?? "graph", flags, in: sound.banks.bankMode)
    let purpose = purpose ?? (flags.isOffline ? .render : .play)
    let chained = try ChainedSong(part.sequence, settings, sound, isLive: purpose == .play)
    // A plug-in may crash or hang when it is freed. Therefore it is freed after all output is
    // written.
    defer { withExtendedLifetime(chained) {} }
    let graph =
      switch purpose {
      case .play:
        try Session(
          chained.sequence, settings: chained.settings, pads: pads,
          instruments: chained.instruments, registry: chained.registry
        ).graph
      case .render:
        try SongRenderer(
          chained.sequence, settings: chained.settings, options: flags.options(for: part),
          pads: pads, instruments: chained.instruments, registry: chained.registry
        ).graph()
      }
    defer { withExtendedLifetime(graph) {} }
    let drawing = try GraphDrawing(graph)
    switch json ? .json : form ?? .text {
    case .text: try Terminal.output(drawing.lines)
    case .dot: try Terminal.output(data: drawing.dot)
    case .json: try Terminal.output(drawing.json)
    }
  }

  /// Writes the effects of the flags to a file for `--graph`, with the tempo of the song.
  private func write(_ path: String) throws {
    let song = try self.path.map { try flags.sequence(of: reading.read($0)) }
    let chains = try sound.savedChains(rate: sound.rate.rate, for: song)
    let file = try OutputFile(named: path, overwrite: overwrite)
    try file.write(Array(chains.text.utf8))
  }
}
