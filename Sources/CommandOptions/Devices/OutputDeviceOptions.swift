// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import CommandKit
internal import JACKAudio
package import MusicalTime

/// The options for the sound device, its period and buffer.
package struct OutputDeviceOptions: ParsableArguments {
  package init() {}

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Sound device: auto, alsa, an ALSA device, null (silent, without a device), jack or pipewire;"
        + " jack:CLIENT connects to CLIENT, jack:none to nothing. auto is JACK or PipeWire if"
        + " it runs, otherwise ALSA's default device.", valueName: "device"),
    completion: .devices)
  package var audio = AudioChoice.auto

  @Option(
    help: ArgumentHelp(
      "Choose lower latency or safer playback. An ALSA buffer grows after underruns, to at"
        + " most four times its size. PipeWire is asked for a matching quantum. JACK keeps its own"
        + " period.",
      valueName: "how"))
  package var latency = LatencyChoice.normal

  @Option(
    name: [.customShort("z"), .long], parsing: .unconditional,
    help: """
      Frames in a device period, 16…8192. Default: depends on --latency; 512 for normal (128 in \
      synth).
      """)
  package var period: Int?

  @Option(
    name: [.customShort("c"), .long], parsing: .unconditional,
    help: """
      Periods in the device buffer, 2…32. Default: depends on --latency; 4 for normal (3 in synth).
      """)
  package var periods: Int?

  @Option(
    help: ArgumentHelp(
      "Device channels for left and right, such as 3,4; the first is 1. Default: 1,2.",
      valueName: "left,right"),
    transform: { try ChannelPair(parsing: $0, of: "--map ") })
  package var map: ChannelPair?

  @Option(
    help: ArgumentHelp(
      "If the sound device disappears: wait for it, move to another, pause, or stop."
        + " Default: 'wait' in ltc send, 'move' in other commands.", valueName: "action"))
  package var onDeviceLoss: DeviceLossPolicy?

  @Flag(name: [.customShort("v"), .long], help: "Report which device is used, and why.")
  package var verbose = false

  package func validate() throws {
    if let period, !(16...8192).contains(period) {
      throw ValidationError("--period \(period): must be 16…8192 frames (try 512)")
    }
    if let periods, !(2...32).contains(periods) {
      throw ValidationError("--periods \(periods): must be 2…32 (try 4)")
    }
  }

  /// Checks that the command supports the value of `--on-device-loss`.
  ///
  /// - Parameters:
  ///   - policies: The supported actions.
  ///   - reason: The reason why others are not supported.
  /// - Throws: `ValidationError` with the reason.
  package func checkLoss(_ policies: [DeviceLossPolicy], _ reason: String) throws {
    guard let onDeviceLoss, !policies.contains(onDeviceLoss) else { return }
    let words = policies.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("--on-device-loss \(onDeviceLoss.rawValue): \(reason) (try \(words))")
  }

  /// Opens the device, without starting it.
  ///
  /// - Parameters:
  ///   - rate: The sample rate; a server uses its own unless a rate was chosen.
  ///   - isLive: True if someone plays live and waits for the sound; false by default.
  ///   - standard: The action if the device disappears, without `--on-device-loss`.
  ///   - apart: The separate outputs of tracks, with their names.
  /// - Returns: The device.
  /// - Throws: `DeviceError` or `JACKError` if the device cannot be opened.
  package func open(
    rate: RateChoice, isLive: Bool = false, losing standard: DeviceLossPolicy = .move,
    apart: [(pair: ChannelPair, label: String)] = []
  ) throws -> OutputDevice {
    let feed = feed(isLive: isLive)
    let layout = OutputLayout(main: map, apart: apart)
    var device = try OutputDevice.open(audio, rate: rate, layout: layout, feed: feed)
    device.isVerbose = verbose
    if verbose {
      Terminal.report(
        "playing on \(device.name)\(layout.text): \(device.reason); \(device.feed)")
    }
    tellOfTurns(of: device)
    return device.kept(onDeviceLoss ?? standard, layout, feed)
  }

  private func feed(isLive: Bool) -> OutputDevice.Feed {
    var feed = latency.feed(isLive: isLive)
    // A buffer that the user specified in frames does not grow.
    if period != nil || periods != nil { feed.mostPeriods = 0 }
    feed.period = period ?? feed.period
    feed.periods = periods ?? feed.periods
    return feed
  }

  /// Reports that a server does not have the requested period, once for all songs.
  private func tellOfTurns(of device: OutputDevice) {
    guard let server = device.jackOutput?.client.server,
      Console.current.isFirst("turns of a sound server")
    else { return }
    if let period, period != device.turnFrames {
      Terminal.report(
        "--period \(period): \(server.name) has a period of \(device.turnFrames) frames"
          + " (try \(device.turnsCommand(period)))")
    }
    if let periods {
      Terminal.report("--periods \(periods): ignored, because \(server.name) has its own buffers")
    }
  }

  /// Requests a quantum from PipeWire, unless the options are the defaults.
  ///
  /// - Parameters:
  ///   - rate: The sample rate.
  ///   - isLive: True if someone plays live and waits for the sound; false by default.
  package func askForTurns(at rate: SampleRate, isLive: Bool = false) {
    guard isLive || latency != .normal || period != nil else { return }
    JACKServer.askForTurns(of: feed(isLive: isLive).period, at: rate)
  }

  /// The options as arguments of a command line.
  package var words: [String] {
    ["--audio=\(audio.text)", "--latency=\(latency.rawValue)"]
      + (period.map { ["--period=\($0)"] } ?? [])
      + (periods.map { ["--periods=\($0)"] } ?? [])
      + (map.map { ["--map=\($0.text)"] } ?? [])
      + (onDeviceLoss.map { ["--on-device-loss=\($0.rawValue)"] } ?? [])
  }
}
