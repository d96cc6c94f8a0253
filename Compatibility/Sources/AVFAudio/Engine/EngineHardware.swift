// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
internal import AudioToolbox
internal import Foundation
package import MusicalTime

/// The devices of an engine.
package struct EngineHardware: Sendable {
  /// Returns the rate of the next output.
  package var rate: @Sendable () -> SampleRate
  /// Creates an output, which is not started.
  package var makeOutput: @Sendable (SampleRate) -> EngineOutput
  /// Returns the number of channels of the input; nil if the machine cannot record.
  package var inputChannelCount: @Sendable () -> Int?
  /// Opens the input with a rate and a number of channels.
  package var makeInput: @Sendable (RecorderInputShape) throws -> any SoundInput

  /// Creates a description of devices.
  ///
  /// - Parameters:
  ///   - rate: Returns the rate of the next output.
  ///   - makeOutput: Creates an output, which is not started.
  ///   - inputChannelCount: Returns the number of channels of the input.
  ///   - makeInput: Opens the input.
  package init(
    rate: @escaping @Sendable () -> SampleRate,
    makeOutput: @escaping @Sendable (SampleRate) -> EngineOutput,
    inputChannelCount: @escaping @Sendable () -> Int? = { nil },
    makeInput: @escaping @Sendable (RecorderInputShape) throws -> any SoundInput
  ) {
    self.rate = rate
    self.makeOutput = makeOutput
    self.inputChannelCount = inputChannelCount
    self.makeInput = makeInput
  }

  /// True if an output does not take sound any more, or is not the one that is wanted.
  func isLost(_ output: EngineOutput) -> Bool {
    output.unit.isAway || output.unit.fault != nil || output.isOutdated()
  }

  /// The devices of the audio session.
  static let session = EngineHardware(
    rate: { SampleRate(hertz: Int(SystemSession.shared.nextRate)) ?? .hertz48000 },
    makeOutput: { rate in
      let device = SharedOutput.device
      let unit = SharedOutput.make(
        rate: rate, periodFrames: SystemSession.shared.nextPeriodFrames)
      SystemSession.shared.watch(unit)
      return EngineOutput(unit) { SharedOutput.device != device }
    },
    inputChannelCount: { SessionPort.input?.channelCount },
    makeInput: { try RecorderInput.open(rate: $0.rate, channelCount: $0.channelCount) })
}

/// An output of an engine.
package final class EngineOutput: @unchecked Sendable {
  // Unchecked: the calls that start and stop the engine exclude one another; any thread may ask an
  // output for its position and its faults.

  /// The output.
  package let unit: any OutputUnit
  /// Returns true if the program has chosen another device.
  let isOutdated: @Sendable () -> Bool

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - unit: The output, not started.
  ///   - isOutdated: Returns true if the program has chosen another device.
  package init(_ unit: any OutputUnit, isOutdated: @escaping @Sendable () -> Bool = { false }) {
    self.unit = unit
    self.isOutdated = isOutdated
  }
}
