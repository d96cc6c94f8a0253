// SPDX-License-Identifier: Apache-2.0
internal import SystemPackages

extension Machine {
  /// Returns the command that installs a package on this system; on an unknown system, the one of
  /// Debian.
  func installing(_ package: SystemPackage) -> String {
    let system = PackageSystem(osRelease: text(of: "/etc/os-release") ?? "")
    return "sudo \(package.installation(on: system))"
  }
}
