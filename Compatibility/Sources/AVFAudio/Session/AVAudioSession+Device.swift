// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation

extension AVAudioSession {
  // MARK: Rate and buffer

  /// The sample rate in hertz of the running output or, if none is running, of the next one that is
  /// opened.
  public var sampleRate: Double { system.rate }
  /// The preferred sample rate in hertz; 0 for no preference.
  public var preferredSampleRate: Double { system.settings.rate }
  /// The duration of one period of the output in seconds.
  public var ioBufferDuration: TimeInterval { system.bufferSeconds }
  /// The preferred duration of one period in seconds; 0 for no preference.
  public var preferredIOBufferDuration: TimeInterval { system.settings.bufferSeconds }

  /// Sets the preferred sample rate, which applies to the next output that is opened.
  ///
  /// - Parameter sampleRate: The rate in hertz, 8,000…192,000; 0 for no preference.
  /// - Throws: `ErrorCode.badParam` if the rate is negative, infinite or NaN.
  public func setPreferredSampleRate(_ sampleRate: Double) throws {
    guard sampleRate >= 0, sampleRate.isFinite else { throw Self.error(.badParam) }
    system.set { $0.rate = sampleRate }
  }

  /// Sets the preferred duration of a period, which applies to the next output that is opened.
  ///
  /// - Parameter duration: The duration in seconds. A period has 64…4096 frames.
  /// - Throws: `ErrorCode.badParam` if the duration is negative, infinite or NaN.
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    guard duration >= 0, duration.isFinite else { throw Self.error(.badParam) }
    system.set { $0.bufferSeconds = duration }
  }

  /// The time from rendering a frame until it is audible, in seconds; 0 if no output is running.
  public var outputLatency: TimeInterval { system.latency }
  /// Always 0, because the latency of inputs is not known.
  public var inputLatency: TimeInterval { 0 }

  // MARK: Channels

  /// The number of input channels; 0 if the machine cannot record.
  public var inputNumberOfChannels: Int { SessionPort.input?.channelCount ?? 0 }
  /// The number of output channels.
  public var outputNumberOfChannels: Int { SessionPort.output.channelCount }
  /// The maximum number of input channels: 2, or 0 if the machine cannot record.
  public var maximumInputNumberOfChannels: Int { SessionPort.input == nil ? 0 : 2 }
  /// The maximum number of output channels: 2.
  public var maximumOutputNumberOfChannels: Int { 2 }
  /// The preferred number of input channels; 0 for no preference.
  public var preferredInputNumberOfChannels: Int { system.settings.inputChannels }
  /// The preferred number of output channels; 0 for no preference.
  public var preferredOutputNumberOfChannels: Int { system.settings.outputChannels }

  /// Sets the preferred number of input channels.
  ///
  /// - Parameter count: The number, 0…2; 0 for no preference.
  /// - Throws: `ErrorCode.badParam` for any other number.
  public func setPreferredInputNumberOfChannels(_ count: Int) throws {
    guard (0...2).contains(count) else { throw Self.error(.badParam) }
    system.set { $0.inputChannels = count }
  }

  /// Sets the preferred number of output channels.
  ///
  /// - Parameter count: The number, 0…2; 0 for no preference.
  /// - Throws: `ErrorCode.badParam` for any other number.
  public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
    guard (0...2).contains(count) else { throw Self.error(.badParam) }
    system.set { $0.outputChannels = count }
  }

  // MARK: Levels

  /// Always 1, because Linux does not have one volume for all programs.
  public var outputVolume: Float { 1 }
  /// The input gain: always 1, because it cannot be set.
  public var inputGain: Float { system.settings.inputGain }
  /// Always false: the input level is set in the mixer of the sound card.
  public var isInputGainSettable: Bool { false }

  /// Always fails: the input level is set in the mixer of the sound card.
  ///
  /// - Parameter gain: The input gain; not used.
  /// - Throws: `ErrorCode.resourceNotAvailable`, always.
  public func setInputGain(_ gain: Float) throws { throw Self.error(.resourceNotAvailable) }

  /// True if the machine can record.
  public var isInputAvailable: Bool { SessionPort.input != nil }

  // MARK: Other programs

  /// True if another program is playing on a sound card, according to the kernel.
  ///
  /// A sound server that plays for this process is also reported as another program.
  public var isOtherAudioPlaying: Bool { system.isOtherAudioPlaying }
  /// True if another program is playing; the same value as `isOtherAudioPlaying`.
  public var secondaryAudioShouldBeSilencedHint: Bool { isOtherAudioPlaying }
  /// Always false, because Linux does not have this setting.
  public var allowHapticsAndSystemSoundsDuringRecording: Bool { false }
  /// Always false, because Linux does not have this setting.
  public var prefersNoInterruptionsFromSystemAlerts: Bool { false }

  /// Does nothing: Linux does not have this setting.
  ///
  /// - Parameter value: Not used.
  /// - Throws: Never.
  public func setAllowHapticsAndSystemSoundsDuringRecording(_ value: Bool) throws {}

  /// Does nothing: Linux does not have this setting.
  ///
  /// - Parameter value: Not used.
  /// - Throws: Never.
  public func setPrefersNoInterruptionsFromSystemAlerts(_ value: Bool) throws {}

  /// Does nothing: Linux does not have this setting.
  ///
  /// - Parameter ioType: Not used.
  /// - Throws: Never.
  public func setAggregatedIOPreference(_ ioType: IOType) throws {}

  // MARK: Route

  /// The devices that are currently used for input and output.
  public var currentRoute: AVAudioSessionRouteDescription {
    let hasInput = [Category.record, .playAndRecord, .multiRoute].contains(category)
    let hasOutput = category != .record && !system.isAway
    return AVAudioSessionRouteDescription(
      inputs: hasInput ? SessionPort.input.map { [$0] } ?? [] : [],
      outputs: hasOutput ? [.output] : [])
  }

  /// The devices that can record.
  public var availableInputs: [AVAudioSessionPortDescription]? {
    SessionPort.inputs.map(AVAudioSessionPortDescription.init)
  }

  /// The preferred recording device; nil for the default device.
  public var preferredInput: AVAudioSessionPortDescription? {
    guard let device = system.settings.inputDevice else { return nil }
    return SessionPort.inputs.first { $0.device == device }.map(AVAudioSessionPortDescription.init)
  }

  /// Sets the preferred recording device.
  ///
  /// - Parameter inPort: One of `availableInputs`; nil for the default device.
  /// - Throws: `ErrorCode.badParam` if the device is not one of `availableInputs`.
  public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
    let inputs = SessionPort.inputs.map(\.device)
    guard inPort.map({ inputs.contains($0.uid) }) ?? true else { throw Self.error(.badParam) }
    system.set { $0.inputDevice = inPort?.uid }
  }

  /// Always nil: ports do not offer a choice of data sources.
  public var inputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// Always nil: ports do not offer a choice of data sources.
  public var inputDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// Always nil: ports do not offer a choice of data sources.
  public var outputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// Always nil: ports do not offer a choice of data sources.
  public var outputDataSource: AVAudioSessionDataSourceDescription? { nil }

  // MARK: Notifications

  /// Posts the notifications of a change.
  func notify(_ change: SystemSession.Change) {
    CallbackLoop.perform(orOn: nil) { [self] in
      switch change {
      case .deviceLost:
        postInterruption(.began)
        postRoute(.oldDeviceUnavailable, outputs: [.output])
      case .deviceReturned:
        postRoute(.newDeviceAvailable, outputs: [])
        postInterruption(.ended)
      case .categoryChanged: postRoute(.categoryChange, outputs: [.output])
      case .overridden: postRoute(.override, outputs: [.output])
      }
    }
  }

  private func postInterruption(_ type: InterruptionType) {
    var info: [String: Any] = [AVAudioSessionInterruptionTypeKey: type.rawValue]
    switch type {
    case .began:
      info[AVAudioSessionInterruptionReasonKey] = InterruptionReason.routeDisconnected.rawValue
    case .ended:
      info[AVAudioSessionInterruptionOptionKey] = InterruptionOptions.shouldResume.rawValue
    }
    NotificationCenter.default.post(
      name: Self.interruptionNotification, object: self, userInfo: info)
  }

  private func postRoute(_ reason: RouteChangeReason, outputs: [SessionPort]) {
    let previous = AVAudioSessionRouteDescription(inputs: [], outputs: outputs)
    NotificationCenter.default.post(
      name: Self.routeChangeNotification, object: self,
      userInfo: [
        AVAudioSessionRouteChangeReasonKey: reason.rawValue,
        AVAudioSessionRouteChangePreviousRouteKey: previous,
      ])
  }
}
