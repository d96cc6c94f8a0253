// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CLilv
internal import MusicalTime

/// The memory that a plug-in's ports are connected to, and the kernel's pointers to it.
@safe
final class LV2Memory {
  let plan: LV2Kernel.Plan
  let instances: [InstanceHandle]

  private static let types = SequenceKernel.Types()
  /// One value for each port of each instance; control outputs write here, and only the latency is
  /// read.
  private let numbers: UnsafeMutablePointer<Float>

  /// Allocates the memory and connects every port.
  init(
    _ plugin: LV2Plugin, _ instances: [InstanceHandle], _ wiring: LV2Wiring,
    _ configuration: LV2Configuration
  ) {
    self.instances = instances
    let count = instances.count
    let channels = (plugin.inputCount + plugin.outputCount) * count
    let samples = unsafe Self.zeros(channels * AudioFormat.quantum)
    let controls = unsafe Self.zeros(plugin.controls.count)
    let hertz = Int(configuration.rate.hertz)
    for (index, control) in plugin.controls.enumerated() {
      unsafe controls[index] = control.parameter(hertz: hertz).initialValue
    }
    let numbers = unsafe Self.zeros(plugin.ports.count * count)
    unsafe self.numbers = numbers
    let events = plugin.ports.filter { $0.kind == .events }
    let inputs = unsafe Self.sequences(events.filter(\.isInput).count)
    let outputs = unsafe Self.sequences(events.filter { !$0.isInput }.count * count)
    let handles = UnsafeMutablePointer<UnsafeMutablePointer<LilvInstance>>.allocate(capacity: count)
    let workers = UnsafeMutablePointer<UnsafeMutablePointer<WorkerKernel>>.allocate(capacity: count)
    for (index, instance) in instances.enumerated() {
      unsafe (handles + index).initialize(to: instance.instance)
      unsafe (workers + index).initialize(to: instance.features.worker)
    }
    let heard = events.filter(\.isInput)
    let latency = plugin.ports.first { $0.reportsLatency && !$0.isInput && $0.kind == .control }
    let number = unsafe latency.map { unsafe numbers + $0.index }
    plan = unsafe LV2Kernel.Plan(
      uri: PluginCall(plugin.uri).uri, framesPerRun: configuration.framesPerRun,
      quantumTime: configuration.working == .onThread
        ? Int64(AudioFormat.quantum) * 1_000_000_000 / Int64(hertz) : 0, instances: handles,
      workers: workers,
      isWorking: instances.contains { unsafe $0.features.worker.pointee.isNeeded },
      instanceCount: count, samples: samples, feeds: Self.copy(wiring.feeds),
      feedCount: wiring.feeds.count, takes: Self.copy(wiring.takes),
      takeCount: wiring.takes.count, controls: controls, controlCount: plugin.controls.count,
      inputs: inputs, inputCount: heard.count,
      messageInput: heard.firstIndex(where: \.takesMIDI) ?? -1,
      positionInput: heard.firstIndex(where: \.takesPosition) ?? -1, outputs: outputs,
      outputCount: (events.count - heard.count) * count,
      heardOutputCount: events.count - heard.count, latency: number)
    for index in instances.indices { connect(plugin, index) }
  }

  deinit {
    for instance in instances { instance.end() }
    unsafe numbers.deallocate()
    unsafe plan.samples.deallocate()
    unsafe plan.controls.deallocate()
    for index in 0..<plan.inputCount { unsafe plan.inputs[index].deallocate() }
    for index in 0..<plan.outputCount { unsafe plan.outputs[index].deallocate() }
    unsafe plan.inputs.deallocate()
    unsafe plan.outputs.deallocate()
    unsafe plan.feeds.deallocate()
    unsafe plan.takes.deallocate()
    unsafe plan.instances.deallocate()
    unsafe plan.workers.deallocate()
  }

  private func connect(_ plugin: LV2Plugin, _ index: Int) {
    let (heard, made) = (plugin.inputCount, plugin.outputCount)
    let eventOutputs = plugin.ports.count { $0.kind == .events && !$0.isInput }
    var (input, output) = (index * (heard + made), index * (heard + made) + heard)
    var (control, reading, writing) = (0, 0, index * eventOutputs)
    for port in plugin.ports {
      var place: UnsafeMutableRawPointer?
      switch (port.kind, port.isInput) {
      case (.audio, true):
        unsafe place = UnsafeMutableRawPointer(plan.samples + input * AudioFormat.quantum)
        input += 1
      case (.audio, false):
        unsafe place = UnsafeMutableRawPointer(plan.samples + output * AudioFormat.quantum)
        output += 1
      case (.control, true):
        unsafe place = UnsafeMutableRawPointer(plan.controls + control)
        control += 1
      case (.control, false):
        unsafe place = UnsafeMutableRawPointer(numbers + index * plugin.ports.count + port.index)
      case (.events, true):
        unsafe place = UnsafeMutableRawPointer(plan.inputs[reading].words)
        reading += 1
      case (.events, false):
        unsafe place = UnsafeMutableRawPointer(plan.outputs[writing].words)
        writing += 1
      case (.other, _): unsafe place = nil
      }
      unsafe instances[index].connect(port.index, place)
    }
  }

  private static func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
    let room = max(1, count)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: room * 4, alignment: 64)
    return unsafe memory.initializeMemory(as: Float.self, repeating: 0, count: room)
  }

  private static func sequences(_ count: Int) -> UnsafeMutablePointer<SequenceKernel> {
    let place = UnsafeMutablePointer<SequenceKernel>.allocate(capacity: max(1, count))
    for index in 0..<count { unsafe (place + index).initialize(to: SequenceKernel(types)) }
    return unsafe place
  }

  private static func copy(_ ways: [LV2Wiring.Way]) -> UnsafeMutablePointer<LV2Wiring.Way> {
    let place = UnsafeMutablePointer<LV2Wiring.Way>.allocate(capacity: max(1, ways.count))
    for (index, way) in ways.enumerated() { unsafe (place + index).initialize(to: way) }
    return unsafe place
  }
}
