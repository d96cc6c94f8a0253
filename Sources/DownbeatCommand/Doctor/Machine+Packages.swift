// SPDX-License-Identifier: Apache-2.0
internal import SystemPackages

extension Machine {
  /// The command that installs a package here; on an unknown system Debian's.
  func installing(_ package: SystemPackage) -> String {
    let system = PackageSystem(osRelease: text(of: "/etc/os-release") ?? "")
    return "sudo \(package.installation(on: system))"
  }
}
