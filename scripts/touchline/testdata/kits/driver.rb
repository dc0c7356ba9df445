require_relative 'touchline'

if ARGV[0] == 'vectors'
  $stdin.each_line do |line|
    method, path, query, timestamp, nonce, secret = line.split.map { |f| [f.delete('-')].pack('H*') }
    text = Touchline.canonical(method, path, query, timestamp, nonce)
    puts "#{text.unpack1('H*')} #{Touchline.signature(secret, text)}"
  end
elsif ARGV[0] == 'trouble'
  waits = []
  api = Touchline::Client.new(ARGV[1], ARGV[2], ARGV[3], sleep: ->(seconds) { waits << seconds.round })
  begin
    api.get('/v1/x?status=live', from: '2026-09-01')
  rescue Touchline::Error => e
    puts "#{e.status} #{e.code} #{e.message.include?('field from')} #{e.headers['X-RateLimit-Remaining']}"
  end
  puts ['waited', *waits].join(' ')
elsif ARGV[0] == 'ditch'
  base, key, secret, timeout, *targets = ARGV.drop(1)
  waits = []
  api = Touchline::Client.new(base, key, secret, timeout: timeout.to_f, sleep: ->(seconds) { waits << seconds })
  targets.each do |target|
    waits.clear
    begin
      got = api.get(target)['data']['id']
    rescue Touchline::Error => e
      got = e.status
    end
    puts [target, got, *waits].join(' ')
  end
else
  waits = []
  api = Touchline::Client.new(ARGV[1], ARGV[2], ARGV[3], sleep: ->(seconds) { waits << seconds })
  api.pages(ARGV[4], limit: 2) { |item| puts item['id'] }
  begin
    api.get('/v1/teams/none')
  rescue Touchline::Error => e
    puts "#{e.status} #{e.code}"
  end
  puts ['waited', *waits].join(' ')
end
