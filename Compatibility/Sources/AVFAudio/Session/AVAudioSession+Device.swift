// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation

extension AVAudioSession {
  // MARK: Rate and buffer

  /// The rate of the output in hertz: of the running output, otherwise of the next.
  public var sampleRate: Double { system.rate }
  /// The preferred rate in hertz; 0 for any.
  public var preferredSampleRate: Double { system.settings.rate }
  /// The seconds of sound in a period.
  public var ioBufferDuration: TimeInterval { system.bufferSeconds }
  /// The preferred seconds of sound in a period; 0 for any.
  public var preferredIOBufferDuration: TimeInterval { system.settings.bufferSeconds }

  /// Sets the preferred rate, which applies to the next output that is opened.
  ///
  /// - Parameter sampleRate: The rate in hertz, 8,000…192,000; 0 for any.
  /// - Throws: `ErrorCode.badParam` for a negative rate or NaN.
  public func setPreferredSampleRate(_ sampleRate: Double) throws {
    guard sampleRate >= 0, sampleRate.isFinite else { throw Self.error(.badParam) }
    system.set { $0.rate = sampleRate }
  }

  /// Sets the preferred length of a period, which applies to the next output that is opened.
  ///
  /// - Parameter duration: The length in seconds; periods have 64…4096 frames.
  /// - Throws: `ErrorCode.badParam` for a negative length or NaN.
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    guard duration >= 0, duration.isFinite else { throw Self.error(.badParam) }
    system.set { $0.bufferSeconds = duration }
  }

  /// The seconds from rendering a frame until it is audible; 0 without a running output.
  public var outputLatency: TimeInterval { system.latency }
  /// 0: the latency of inputs is not known.
  public var inputLatency: TimeInterval { 0 }

  // MARK: Channels

  /// The number of input channels; 0 if the machine cannot record.
  public var inputNumberOfChannels: Int { SessionPort.input?.channelCount ?? 0 }
  /// The number of output channels.
  public var outputNumberOfChannels: Int { SessionPort.output.channelCount }
  /// The largest number of input channels.
  public var maximumInputNumberOfChannels: Int { SessionPort.input == nil ? 0 : 2 }
  /// The largest number of output channels.
  public var maximumOutputNumberOfChannels: Int { 2 }
  /// The preferred number of input channels; 0 for any.
  public var preferredInputNumberOfChannels: Int { system.settings.inputChannels }
  /// The preferred number of output channels; 0 for any.
  public var preferredOutputNumberOfChannels: Int { system.settings.outputChannels }

  /// Stores a preferred number of input channels.
  ///
  /// - Parameter count: The number, 0…2.
  /// - Throws: `ErrorCode.badParam` for another number.
  public func setPreferredInputNumberOfChannels(_ count: Int) throws {
    guard (0...2).contains(count) else { throw Self.error(.badParam) }
    system.set { $0.inputChannels = count }
  }

  /// Stores a preferred number of output channels.
  ///
  /// - Parameter count: The number, 0…2.
  /// - Throws: `ErrorCode.badParam` for another number.
  public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
    guard (0...2).contains(count) else { throw Self.error(.badParam) }
    system.set { $0.outputChannels = count }
  }

  // MARK: Levels

  /// 1: Linux does not have one volume for all programs.
  public var outputVolume: Float { 1 }
  /// The stored factor for the input, 0…1.
  public var inputGain: Float { system.settings.inputGain }
  /// False: the level of the input is set in the mixer of the sound card.
  public var isInputGainSettable: Bool { false }

  /// Refuses: the level of the input is set in the mixer of the sound card.
  ///
  /// - Parameter gain: The factor.
  /// - Throws: `ErrorCode.resourceNotAvailable`.
  public func setInputGain(_ gain: Float) throws { throw Self.error(.resourceNotAvailable) }

  /// True if the machine can record.
  public var isInputAvailable: Bool { SessionPort.input != nil }

  // MARK: Other programs

  /// True if another program plays on a sound card, as the kernel reports it.
  ///
  /// A sound server that plays for this process counts as another program.
  public var isOtherAudioPlaying: Bool { system.isOtherAudioPlaying }
  /// The same as `isOtherAudioPlaying`.
  public var secondaryAudioShouldBeSilencedHint: Bool { isOtherAudioPlaying }
  /// False; not used.
  public var allowHapticsAndSystemSoundsDuringRecording: Bool { false }
  /// False; not used.
  public var prefersNoInterruptionsFromSystemAlerts: Bool { false }

  /// Accepts a setting that Linux does not have.
  ///
  /// - Parameter value: Not used.
  /// - Throws: Nothing.
  public func setAllowHapticsAndSystemSoundsDuringRecording(_ value: Bool) throws {}

  /// Accepts a setting that Linux does not have.
  ///
  /// - Parameter value: Not used.
  /// - Throws: Nothing.
  public func setPrefersNoInterruptionsFromSystemAlerts(_ value: Bool) throws {}

  /// Accepts a setting that Linux does not have.
  ///
  /// - Parameter ioType: Not used.
  /// - Throws: Nothing.
  public func setAggregatedIOPreference(_ ioType: IOType) throws {}

  // MARK: Route

  /// The devices that are used at present.
  public var currentRoute: AVAudioSessionRouteDescription {
    let hasInput = [Category.record, .playAndRecord, .multiRoute].contains(category)
    let hasOutput = category != .record && !system.isAway
    return AVAudioSessionRouteDescription(
      inputs: hasInput ? SessionPort.input.map { [$0] } ?? [] : [],
      outputs: hasOutput ? [.output] : [])
  }

  /// The devices that can be recorded from.
  public var availableInputs: [AVAudioSessionPortDescription]? {
    SessionPort.inputs.map(AVAudioSessionPortDescription.init)
  }

  /// The device that recorders record from; nil for the default device.
  public var preferredInput: AVAudioSessionPortDescription? {
    guard let device = system.settings.inputDevice else { return nil }
    return SessionPort.inputs.first { $0.device == device }.map(AVAudioSessionPortDescription.init)
  }

  /// Sets the device that recorders record from.
  ///
  /// - Parameter inPort: One of `availableInputs`; nil for the default device.
  /// - Throws: `ErrorCode.badParam` for an output.
  public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
    let inputs = SessionPort.inputs.map(\.device)
    guard inPort.map({ inputs.contains($0.uid) }) ?? true else { throw Self.error(.badParam) }
    system.set { $0.inputDevice = inPort?.uid }
  }

  /// Nil: a port has one data source.
  public var inputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// Nil: a port has one data source.
  public var inputDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// Nil: a port has one data source.
  public var outputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// Nil: a port has one data source.
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
