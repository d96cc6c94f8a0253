// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
package import CommandKit
internal import JSONText
internal import PlayerControl

/// Tells when the sound device is gone, and when the music is on one again.
package struct DeviceWatch {
  /// What became of the device since the last look.
  package enum News {
    case lost, back
    /// It was lost, and another took its place at once.
    case moved
  }

  /// What is to become of the music.
  package let policy: DeviceLossPolicy
  private let device: OutputDevice
  /// What is mixed in and did not fail, and whether it was told to be away.
  private var inputs: [(input: MixedInput, isAway: Bool)]
  private var isLost = false
  /// The frames in its buffer when it was told last.
  private var bufferFrames: Int?
  /// What the music was on when it was told last.
  private var name: String

  /// Begins to watch a device that is there, and what is mixed in.
  package init(_ device: OutputDevice, inputs: [MixedInput] = []) {
    self.device = device
    self.inputs = inputs.map { ($0, false) }
    policy = device.lossPolicy
    name = device.name
    bufferFrames = device.bufferFrames
  }

  /// Looks at the device, and tells what is new.
  ///
  /// - Returns: what is new; nil for nothing.
  /// - Throws: `Failure` where the music is to end with its device.
  package mutating func look() throws(Failure) -> News? {
    lookAtBuffer()
    lookAtInputs()
    let isAway = device.unit.isAway
    if isAway == isLost {
      guard !isLost, device.currentName != name, device.unit.fault == nil else { return nil }
      try tellLoss()
      tellReturn()
      return .moved
    }
    isLost = isAway
    if isLost {
      try tellLoss()
      return .lost
    }
    guard device.unit.fault == nil else { return nil }
    tellReturn()
    return .back
  }

  private func tellLoss() throws(Failure) {
    JSONReport.tell("device-lost")
    guard policy != .stop else { throw Failure(.ioError, device.absence) }
    Terminal.report("\(device.absence); \(expectation)")
  }

  /// Tells what the music is on now.
  private mutating func tellReturn() {
    let now = device.currentName
    Terminal.report(now == name ? "the sound device is back" : "now playing on \(now)")
    JSONReport.tell("device-back", [("device", .text(now))])
    name = now
  }

  /// Tells of inputs whose device is gone or back, or from which nothing comes any more.
  private mutating func lookAtInputs() {
    let states = inputs.map(\.input.state)
    for (index, state) in states.enumerated() {
      let name = inputs[index].input.name
      if let failure = state.failure {
        JSONReport.tell(
          "input-failed", [("device", .text(name)), ("message", .text("\(failure)"))])
        Terminal.report("--input \(name): \(failure); playback continues without it")
      } else if state.isAway != inputs[index].isAway {
        inputs[index].isAway = state.isAway
        JSONReport.tell(state.isAway ? "input-lost" : "input-back", [("device", .text(name))])
        let news = state.isAway ? "is gone; waiting for its return" : "is back"
        Terminal.report("--input \(name): the sound device \(news)")
      }
    }
    inputs = zip(inputs, states).filter { $1.failure == nil }.map { $0.0 }
  }

  /// Tells of a buffer that has grown, or is another device's.
  private mutating func lookAtBuffer() {
    let now = device.bufferFrames
    defer { bufferFrames = now }
    guard let now, let bufferFrames, now > bufferFrames else { return }
    let milliseconds = device.milliseconds(now)
    JSONReport.tell("buffer-grown", [("milliseconds", .decimal(milliseconds))])
    guard device.isVerbose else { return }
    Terminal.report("the device underran: its buffer is now \(milliseconds) ms")
  }

  /// What helps where it runs dry.
  package var remedy: String { device.remedy }

  private var expectation: String {
    switch policy {
    case .wait, .stop: "waiting for its return"
    case .move: "waiting for its return or another device"
    case .pause: "paused"
    }
  }
}
